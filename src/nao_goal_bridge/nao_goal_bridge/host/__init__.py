# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""nao_host: a GOAL agent drives a ROS 2 robot as if it were a Nao."""
