# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client as a program of its own: sends a goal that takes long, and waits. Argument: action."""

import sys

import rclpy
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from rclpy.action import ActionClient
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall, AiboWalkSteps

POINT = JointTrajectoryPoint(positions=[1.5], time_from_start=Duration(sec=20))
GOALS = {
    "walk_steps": (AiboWalkSteps, AiboWalkSteps.Goal(x=1.2)),
    "search_ball": (AiboSearchBall, AiboSearchBall.Goal(colour="yellow", timeout=20.0)),
    "play_motion": (AiboPlayMotion, AiboPlayMotion.Goal(name="look")),
    "follow_joint_trajectory": (
        FollowJointTrajectory,
        FollowJointTrajectory.Goal(
            trajectory=JointTrajectory(joint_names=["neck_pan"], points=[POINT])
        ),
    ),
}

name = sys.argv[1]
action_type, goal = GOALS[name]
rclpy.init()
node = rclpy.create_node("victim")
client = ActionClient(node, action_type, f"/aibo/{name}")
client.wait_for_server()
sent = client.send_goal_async(goal)
rclpy.spin_until_future_complete(node, sent)
result = sent.result().get_result_async()
print("accepted", flush=True)
rclpy.spin_until_future_complete(node, result)
print("ended", flush=True)
