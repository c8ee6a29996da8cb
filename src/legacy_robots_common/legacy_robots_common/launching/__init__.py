# SPDX-License-Identifier: Apache-2.0
"""What launch files share: arguments, parameters files, and the programs that they start.

launch/nao.launch.py shows how a launch file uses it.
"""


class LaunchError(Exception):
    """Raised when a system cannot be launched as asked; the message says what to change."""
