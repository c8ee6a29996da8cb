# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Links that reconnect, framings, and how programs start and print. No ROS."""
