# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs to copy from: each joins one of the systems with other ROS 2 software."""
