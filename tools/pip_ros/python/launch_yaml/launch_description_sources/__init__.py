# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files in YAML."""

from launch.launch_description_sources import FrontendLaunchDescriptionSource

YAMLLaunchDescriptionSource = FrontendLaunchDescriptionSource

__all__ = ["YAMLLaunchDescriptionSource"]
