# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files in XML."""

from launch.launch_description_sources import FrontendLaunchDescriptionSource

XMLLaunchDescriptionSource = FrontendLaunchDescriptionSource

__all__ = ["XMLLaunchDescriptionSource"]
