# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The part of the ROS 2 launch API that tools/pip_ros provides.

An independent implementation of the documented behaviour, for machines where the real package
does not exist. See tools/pip_ros/README.md for what is in it. Everything else is an error that
names the missing construct.
"""

from launch._subset import missing_attribute
from launch.action import Action
from launch.condition import Condition
from launch.event import Event
from launch.event_handler import EventHandler
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.launch_description_source import LaunchDescriptionSource
from launch.launch_service import LaunchService
from launch.some_substitutions_type import (
    SomeSubstitutionsType,
    SomeSubstitutionsType_types_tuple,
)
from launch.substitution import Substitution

__all__ = [
    "Action",
    "Condition",
    "Event",
    "EventHandler",
    "LaunchContext",
    "LaunchDescription",
    "LaunchDescriptionEntity",
    "LaunchDescriptionSource",
    "LaunchService",
    "SomeSubstitutionsType",
    "SomeSubstitutionsType_types_tuple",
    "Substitution",
]

__getattr__ = missing_attribute(__name__, __path__[0])
