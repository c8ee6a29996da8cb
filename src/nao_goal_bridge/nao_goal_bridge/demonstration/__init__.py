# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of the demonstration: an errand for the Nao, and a simulated robot for nao_host."""
