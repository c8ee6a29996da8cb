# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A ROS 2 node as a program: parameters, quality of service, executor, signals, exit codes."""
