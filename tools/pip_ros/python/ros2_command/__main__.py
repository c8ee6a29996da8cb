# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of ``python -m ros2_command``."""

import signal
import sys

try:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))  # blocked by tools/ros2
    from ros2_command.cli import main
except KeyboardInterrupt:
    sys.exit("\nros2: interrupted")

if __name__ == "__main__":
    sys.exit(main())
