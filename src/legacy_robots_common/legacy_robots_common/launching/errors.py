# SPDX-License-Identifier: Apache-2.0
"""The exception of a launch that cannot be."""


class LaunchError(Exception):
    """Raised when a system cannot be launched as asked; the message says what to change."""
