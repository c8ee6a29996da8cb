# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The node of every bridge: link state, diagnostics, goals, and the order in which they end."""
