# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a Luar robot knows, read from its memory: field, poses, body, ball, team. No ROS."""
