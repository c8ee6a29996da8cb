# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of what happens while launching."""


class Event:
    """Something that happened and that handlers can react to."""

    name = "launch.Event"
