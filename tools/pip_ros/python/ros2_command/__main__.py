# SPDX-License-Identifier: Apache-2.0
"""Entry point of ``python -m ros2_command``."""

import sys

from ros2_command.cli import main

if __name__ == "__main__":
    sys.exit(main())
