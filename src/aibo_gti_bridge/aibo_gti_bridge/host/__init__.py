# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host: a Golog program drives a ROS 2 robot over GTI."""
