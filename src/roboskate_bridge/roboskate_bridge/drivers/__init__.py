# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that skate: along the checkpoints, or by a trained policy."""
