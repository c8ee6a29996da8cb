# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""UDP, serial ports, WebSocket and device files for robots of one's own. No ROS."""
