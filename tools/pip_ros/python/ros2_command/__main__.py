# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of ``python -m ros2_command``."""

import signal
import sys

# Blocked by tools/ros2. Launch allows it once it handles it: a KeyboardInterrupt at any place of
# its imports was lost in one of 400 starts.
how = signal.SIG_BLOCK if sys.argv[1:2] == ["launch"] else signal.SIG_UNBLOCK

try:
    signal.pthread_sigmask(how, (signal.SIGINT,))
    from ros2_command.cli import main
except KeyboardInterrupt:
    sys.exit("\nros2: interrupted")

if __name__ == "__main__":
    sys.exit(main())
