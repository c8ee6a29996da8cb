# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of what a launch description holds."""

from __future__ import annotations

from launch.launch_context import LaunchContext


class LaunchDescriptionEntity:
    """Something that can be visited while launching."""

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Do the work of the entity and return the entities to visit next."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return the line of the entity in ``ros2 launch --print``."""
        return f"{type(self).__name__}()"

    def describe_sub_entities(self) -> list[LaunchDescriptionEntity]:
        """Return the entities that are known before launching."""
        return []
