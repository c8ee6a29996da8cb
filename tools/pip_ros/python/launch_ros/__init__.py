# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The part of the ROS 2 launch_ros API that tools/pip_ros provides; see its README.md."""

from launch._subset import missing_attribute

__getattr__ = missing_attribute(__name__, __path__[0])
