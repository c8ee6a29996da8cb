# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the server, see :mod:`bw4t_bridge.bridge.server_parts`."""
