# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate, a skating robot game, as ROS 2, over the game's gRPC or JSON interface."""
