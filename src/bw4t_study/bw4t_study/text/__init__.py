# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world in words, for agents that read and write; and a server of it for MCP."""

from bw4t_study.text.session import RefusedError, TextSession

__all__ = ["RefusedError", "TextSession"]
