# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``after_topic TOPIC COMMAND...``: wait until a topic is published, then become the command.

rqt's plugins restore only those topics and services of a perspective that they find when the
window opens. A relative topic is below the namespace in the ROS arguments, which launch appends.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence

import rclpy

from legacy_robots_common.node.fast_dds import choose_profile, end_turn
from legacy_robots_common.node.main import FAILED, STOP_SIGNALS, refuse, stop_signals
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.ros_arguments import initialize, without_ros_arguments

LONGEST_WAIT_S = 60.0
PERIOD_S = 0.1


def main(arguments: Sequence[str] | None = None) -> None:
    """Wait for the topic, at most LONGEST_WAIT_S, and run the command in this process."""
    given = list(sys.argv if arguments is None else arguments)
    try:
        words = without_ros_arguments(given)[1:]
    except StartupError as error:
        sys.exit(refuse("after_topic", error))
    if len(words) < 2:
        sys.stderr.write("usage: after_topic TOPIC COMMAND [ARGUMENT...] [--ros-args ...]\n")
        sys.exit(FAILED)
    topic, *command = words
    choose_profile("after_topic")
    with stop_signals() as stopped:
        initialize(given)
        try:
            node = rclpy.create_node(f"after_topic_{os.getpid()}")
            end_turn()
            end = time.monotonic() + LONGEST_WAIT_S
            topic = node.resolve_topic_name(topic)
            while not node.count_publishers(topic) and time.monotonic() < end:
                if stopped.wait(PERIOD_S):
                    sys.exit(0)
            node.destroy_node()
        finally:
            rclpy.try_shutdown()
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
