# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A user of nav2_simple_commander, for test_nav2.py. Arguments: NAMESPACE FRAME NEAR FAR.

NEAR and FAR are x,y in m.
Prints one line for each step; ends with an AssertionError where Nav2 would have done otherwise.
"""

import sys

import rclpy
from geometry_msgs.msg import PoseStamped
from nav2_simple_commander.robot_navigator import BasicNavigator, TaskResult

NAMESPACE, FRAME, NEAR, FAR = sys.argv[1:]


def pose(text):
    """Return a pose of the ground from "x,y" in m."""
    found = PoseStamped()
    found.header.frame_id = FRAME
    found.pose.position.x, found.pose.position.y = map(float, text.split(","))
    found.pose.orientation.w = 1.0
    return found


def wait(navigator, count=None):
    """Wait for the end of a task, or until ``count`` feedback messages; return the feedback."""
    seen = []
    while not navigator.isTaskComplete():
        feedback = navigator.getFeedback()
        if feedback is not None and feedback not in seen:
            seen.append(feedback)
        if count is not None and len(seen) >= count:
            break
    return seen


rclpy.init()
navigator = BasicNavigator(namespace=NAMESPACE)
# The node of the bridge: the blocks world's is not below its players.
bridge = "/bw4t/server" if NAMESPACE.startswith("/bw4t") else f"{NAMESPACE}/bridge"
navigator.waitUntilNav2Active(navigator=bridge, localizer="robot_localization")
print("waitUntilNav2Active: returned")

assert navigator.goToPose(pose(NEAR))
feedback = wait(navigator)
assert navigator.getResult() is TaskResult.SUCCEEDED
assert feedback
assert feedback[0].distance_remaining >= 0.0
print(f"goToPose: succeeded, {len(feedback)} feedback messages")

assert navigator.goThroughPoses([pose(FAR), pose(NEAR)])
feedback = wait(navigator)
assert navigator.getResult() is TaskResult.SUCCEEDED
assert feedback[0].number_of_poses_remaining == 2
print(f"goThroughPoses: succeeded, {len(feedback)} feedback messages")

assert navigator.goToPose(pose(FAR))
wait(navigator, 2)
navigator.cancelTask()
wait(navigator)
assert navigator.getResult() is TaskResult.CANCELED
print("cancelTask: canceled")

assert navigator.goToPose(pose("-500.0,900.0"))
wait(navigator)
assert navigator.getResult() is TaskResult.FAILED
error = navigator.result_future.result().result
assert error.error_code == 204, error
print(f"outside of the map: failed, {error.error_msg}")
