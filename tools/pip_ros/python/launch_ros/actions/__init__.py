# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions that know ROS names, parameters and packages."""

from launch._subset import missing_attribute

from launch_ros.actions.node import Node
from launch_ros.actions.scoped import (
    PushRosNamespace,
    SetParameter,
    SetParametersFromFile,
    SetRemap,
)

PushROSNamespace = PushRosNamespace

__all__ = [
    "Node",
    "PushROSNamespace",
    "PushRosNamespace",
    "SetParameter",
    "SetParametersFromFile",
    "SetRemap",
]

__getattr__ = missing_attribute(__name__)
