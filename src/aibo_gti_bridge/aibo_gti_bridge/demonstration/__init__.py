# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of the demonstration: a ball game, and a simulated robot for gti_host."""
