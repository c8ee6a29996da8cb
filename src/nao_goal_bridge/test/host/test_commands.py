# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an agent's commands do in ROS, and how their ends are reported: profile spec, bytes."""

import threading
from contextlib import ExitStack, contextmanager

import pytest
from nav2_msgs.action import NavigateToPose
from std_srvs.srv import Trigger
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.action import NaoPickUp
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

GO_TO_16, GO_TO_32 = "01 00000010 00000000", "01 00000020 00000000"
WALKS, STANDS = "8F 00000001", "8F 00000000"
ARRIVED = ("89 00000020", "8A 00000020 00000000", "8A 00000010 00000001", "8A 00000030 00000001")


@pytest.fixture
def scene(hosted):
    with hosted() as scene:
        yield scene


@pytest.fixture
def walking(scene):
    """Return the scene, an agent that has told the robot to go to room 32, and the goal."""
    agent = scene.greeted()
    agent.send(GO_TO_32)
    goal = scene.robot.next_goal()
    agent.expect(WALKS)
    return scene, agent, goal


# --- ends of walks -------------------------------------------------------------------------


def test_a_walk_that_is_aborted_has_failed(walking):
    _, agent, goal = walking
    goal.end.set_result("abort")
    agent.expect(STANDS, "82 01")


def test_a_walk_that_is_rejected_has_failed(scene):
    scene.robot.accepts = False
    agent = scene.greeted()
    agent.send(GO_TO_32)
    agent.expect("82 01")


def test_a_missing_navigation_is_a_failure_with_the_reason_in_the_log(hosted, capfd):
    with hosted(navigation="nowhere", server_timeout=1.0) as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32)
        agent.expect("82 01")
    assert "nowhere: there is no server" in capfd.readouterr().err


@contextmanager
def navigation(robot_type):
    """Run a navigation in a context of its own, which leaves the graph with all that is in it."""
    with RosPeer("navigation") as peer:
        robot = robot_type(peer, NavigateToPose, "/nao_host/go")
        yield robot
        for goal in robot.seen:
            goal.end.set_result("abort")
        robot.destroy()


def navigation_disappears(agent, robot_type):
    """Have a navigation leave the graph while it has a goal."""
    with navigation(robot_type) as robot:
        agent.send(GO_TO_32)
        robot.next_goal()
        agent.expect(WALKS)
        robot.seen.clear()


def test_a_navigation_that_disappears_is_a_failure_and_the_link_stays(hosted, robot_type):
    with hosted(navigation="go", server_timeout=10.0) as scene:
        agent = scene.greeted()
        navigation_disappears(agent, robot_type)
        agent.expect(STANDS, "82 01")
        agent.send("04")
        agent.expect("81 04")
        assert scene.link.last.state == LinkState.CONNECTED


def test_a_navigation_that_is_started_again_has_forgotten_the_goal(hosted, robot_type, capfd):
    with hosted(navigation="go", server_timeout=60.0) as scene:
        agent = scene.greeted()
        navigation_disappears(agent, robot_type)
        with navigation(robot_type) as robot:
            agent.expect(STANDS, "82 01")
            agent.send(GO_TO_32)
            robot.next_goal()
            agent.expect(WALKS)
    assert "unknown to its server" in capfd.readouterr().err


@pytest.mark.parametrize(
    "command,reason",
    [
        ("01 00000030 00000000", "marker 48 is not in sight from room 16"),
        ("01 00000063 00000000", "marker 99 is not in sight"),
        ("01 00000020 FFFFFFFF", "a distance of -1 rooms is no place"),
    ],
)
def test_a_walk_that_the_document_refuses(hosted, capfd, command, reason):
    with hosted() as scene:
        agent = scene.greeted()
        agent.send(command)
        agent.expect("82 01")
    assert reason in capfd.readouterr().err


def test_markers_out_of_sight_are_reached_where_the_parameter_allows_it(hosted):
    with hosted(go_to_unseen=True) as scene:
        agent = scene.greeted()
        agent.send("01 00000030 00000000")
        first = scene.robot.next_goal()
        assert first.place == ("map", 1.0, 0.0, 0)
        agent.expect(WALKS)
        first.end.set_result("succeed")
        assert scene.robot.next_goal().place == ("map", 1.0, 1.0, 90)


def test_a_robot_that_is_near_enough_is_not_moved(scene):
    agent = scene.greeted()
    agent.send("01 00000020 00000001", GO_TO_16)
    agent.expect("81 01", "81 01")
    assert not scene.robot.goals.items


def test_without_a_pose_a_walk_fails(hosted, capfd):
    with hosted(pose_timeout=0.5) as scene:
        agent = scene.greeted()
        scene.robot.x = float("nan")  # such a transform is dropped, and the last one gets old
        scene.peer.on_executor(lambda: None)
        while scene.node._body.senses.room is not None:
            pass
        agent.send(GO_TO_32)
        agent.expect("82 01")
    assert "no transform from map to base_link of late" in capfd.readouterr().err


# --- queue and halt ------------------------------------------------------------------------


def test_a_queue_that_is_full(hosted):
    with hosted(queue_length=1) as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32)
        agent.expect(WALKS)
        agent.send("03", "02 00000005")
        agent.expect("82 02")
        scene.robot.next_goal().end.set_result("abort")
        agent.expect(STANDS, "82 01", "82 03")


def test_halt_cancels_and_what_runs_and_waits_has_failed(walking):
    _, agent, goal = walking
    agent.send("02 00000005", "04")
    assert goal.cancelled.wait(40.0)
    agent.send("03")  # was told after the Halt, so that is not halted
    goal.end.set_result("canceled")
    agent.expect("82 01", "82 02", STANDS, "81 04", "82 03")


def test_a_halt_that_the_navigation_refuses_changes_nothing(walking):
    scene, agent, goal = walking
    scene.robot.cancels = False
    agent.send("02 00000005", "04")
    agent.expect("82 04")
    goal.end.set_result("succeed")
    agent.expect(STANDS, "81 01", "81 02", "8D 00000005")


def test_a_walk_that_ends_before_its_cancellation_has_succeeded(walking):
    scene, agent, goal = walking
    agent.send("04")
    assert goal.cancelled.wait(40.0)
    scene.robot.x = 1.0
    goal.end.set_result("succeed")
    agent.expect("81 01", *ARRIVED, STANDS, "81 04")


def test_a_navigation_that_does_not_answer_a_cancellation_is_an_error(hosted):
    with hosted(halt_timeout=0.3) as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32)
        goal = scene.robot.next_goal()
        agent.expect(WALKS)
        scene.robot.cancels = None
        agent.send("04")
        agent.expect("80")
        agent.send("04", GO_TO_32)
        agent.expect("82 04", "82 01")
        goal.end.set_result("abort")
        agent.close()
        scene.greeted().send("04")


def test_the_order_of_replies_to_halt_in_the_last_profile(hosted):
    with hosted(profile="naovigate") as scene:
        agent = scene.meet(in_bits=True)
        agent.expect("8E 00000007", "89 00000010", "8F 00000000", "8A 00000005")
        agent.send("01 00000002 00000005 00000005 0000000F 00000005")
        goal = scene.robot.next_goal()
        agent.expect(WALKS)
        agent.send("02", "04")
        assert goal.cancelled.wait(40.0)
        goal.end.set_result("canceled")
        agent.expect(STANDS, "82 00000002", "81 00000004", "82 00000001")


# --- a robot that has died -----------------------------------------------------------------


@pytest.mark.parametrize("what", ["broadcasts", "clock_runs"])
def test_a_walk_whose_robot_reports_no_new_pose_has_failed(hosted, capfd, what):
    with hosted(pose_timeout=60.0, server_timeout=1.0) as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32)
        goal = scene.robot.next_goal()
        agent.expect(WALKS)
        setattr(scene.robot, what, False)
        agent.expect(STANDS, "82 01")
        assert goal.cancelled.wait(40.0)
        goal.end.set_result("canceled")
        setattr(scene.robot, what, True)
        agent.send("04")
        agent.expect("81 04")
    assert "no new pose of the robot on /tf" in capfd.readouterr().err


def test_a_pick_up_whose_robot_reports_no_new_pose_has_failed(hosted, robot_type):
    pick_up = {"pick_up": "pick_up", "pick_up_type": "legacy_robots_msgs/action/NaoPickUp"}
    with hosted(server_timeout=1.0, **pick_up) as scene:
        hand = robot_type(scene.peer, NaoPickUp, "/nao_host/pick_up")
        agent = scene.greeted()
        agent.send("02 00000005")
        goal = hand.next_goal()
        scene.robot.broadcasts = False
        agent.expect("82 02")
        goal.end.set_result("abort")


# --- picking up and putting down -----------------------------------------------------------


def test_the_built_in_hands_keep_count(scene):
    agent = scene.greeted()
    agent.send("03", "02 00000006", "02 00000005", "02 00000005", "03", "03")
    agent.expect(
        "82 03", "82 02", "81 02", "8D 00000005", "82 02", "81 03", "8C 00000005", "82 03"
    )


def test_a_pick_up_by_an_action_gets_the_object_and_can_be_halted(hosted, robot_type):
    with hosted(pick_up="grab", pick_up_type="legacy_robots_msgs/action/NaoPickUp") as scene:
        hand = robot_type(scene.peer, NaoPickUp, "/nao_host/grab")
        agent = scene.greeted()
        agent.send("02 00000009")
        goal = hand.next_goal()
        assert goal.handle.request.object_id == 9
        agent.send("04")
        assert goal.cancelled.wait(40.0)
        goal.end.set_result("canceled")
        agent.expect("82 02", "81 04")
        agent.send("02 00000009")
        hand.next_goal().end.set_result("succeed")
        agent.expect("81 02", "8D 00000009")


def test_a_service_is_not_halted(hosted):
    with hosted(pick_up="grab", put_down="release") as scene:
        answers = {"grab": threading.Event(), "release": threading.Event()}
        called = {name: threading.Event() for name in answers}

        def serve(name):
            # In a node of its own, as its callback waits.
            peer = stack.enter_context(RosPeer(name))

            def answer(request, response):
                called[name].set()
                answers[name].wait(40.0)
                response.success = name == "grab"
                return response

            peer.on_executor(peer.node.create_service, Trigger, f"/nao_host/{name}", answer)

        with ExitStack() as stack:
            for name in answers:
                serve(name)
            agent = scene.greeted()
            agent.send("02 00000009")
            assert called["grab"].wait(40.0)
            agent.send("04")
            agent.expect("82 04")
            answers["grab"].set()
            agent.expect("81 02", "8D 00000009")
            agent.send("03")
            answers["release"].set()
            agent.expect("82 03")


# --- the link ------------------------------------------------------------------------------


def test_a_robot_whose_agent_is_gone_is_stopped_and_the_next_hears_of_none_of_it(walking):
    scene, agent, goal = walking
    agent.send("02 00000005")
    agent.close()
    assert goal.cancelled.wait(40.0)
    successor = scene.greeted()
    successor.send(GO_TO_32)
    goal.end.set_result("canceled")
    scene.robot.next_goal()
    successor.expect(WALKS)


def test_the_robot_is_stopped_when_the_program_ends(walking):
    scene, agent, goal = walking
    scene.running.stop()
    assert goal.cancelled.wait(40.0)
    goal.end.set_result("canceled")
    agent.expect_end()


def test_exit_stops_the_robot_and_ends_the_program(walking):
    scene, agent, goal = walking
    agent.send("03", "00")
    assert goal.cancelled.wait(40.0)
    goal.end.set_result("canceled")
    agent.expect("82 01", "82 03", STANDS, "81 00")
    agent.expect_end()
    scene.running._thread.join(40.0)
    assert scene.node.exit_code == 0


def test_exit_may_leave_the_program_for_the_next_agent(hosted):
    with hosted(exit_program=False) as scene:
        for _ in range(2):
            agent = scene.greeted()
            agent.send("00")
            agent.expect("81 00")
            agent.expect_end()


@pytest.mark.parametrize("profile, code", [("spec", ""), ("naovigate", "000000")])
def test_an_unknown_opcode_is_answered_and_the_link_stays(hosted, capfd, profile, code):
    with hosted(profile=profile) as scene:
        if profile == "spec":
            agent = scene.greeted()
        else:
            agent = scene.meet(in_bits=True)
            agent.expect("8E 00000007", "89 00000010", "8F 00000000", "8A 00000005")
        agent.send("77 78", "04")
        agent.expect(f"82 {code}77", f"82 {code}78", f"81 {code}04")  # on the same connection
    assert "opcode 0x77 is not one that GOAL sends" in capfd.readouterr().err


def test_an_agent_of_bits_is_a_fault_that_names_its_profile(scene):
    agent = scene.greeted()
    agent.stream.sendall(b"00000100\n")
    fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
    assert "naovigate" in fault.detail.split("would fit profile ")[1]


def test_an_agent_of_another_profile_is_a_fault_that_names_it(hosted):
    with hosted(profile="naovigate") as scene:
        agent = scene.meet()
        agent.send("03 01 00000020 00000000")
        fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert "spec" in fault.detail.split("would fit profile ")[1]


# --- senses --------------------------------------------------------------------------------


def test_a_robot_that_is_moved_by_others_walks_and_changes_its_room(scene):
    agent = scene.greeted()
    for step in range(1, 21):
        scene.robot.x = step / 20
        threading.Event().wait(0.05)  # it moves at 1 m/s
    agent.expect(WALKS, *ARRIVED, STANDS)


def test_markers_are_reported_again_and_again(hosted):
    with hosted(see_rate=10.0) as scene:
        agent = scene.greeted()
        for _ in range(3):
            agent.expect("8A 00000010 00000000", "8A 00000020 00000001")


def test_detections_take_the_place_of_the_map(hosted):
    with hosted(detections="/camera/markers", see_rate=10.0) as scene:
        agent = scene.meet()
        agent.expect("8E 00000007", "89 00000010", STANDS)
        topic = scene.peer.on_executor(
            scene.peer.node.create_publisher, Detection3DArray, "/camera/markers", qos.stream()
        )

        def detection(marker, x, y):
            result = ObjectHypothesisWithPose()
            result.hypothesis.class_id, result.hypothesis.score = marker, 0.9
            result.pose.pose.position.x, result.pose.pose.position.y = x, y
            return Detection3D(results=[result])

        message = Detection3DArray(
            detections=[detection("48", 1.5, 2.0), detection("a chair", 1.0, 0.0)]
        )
        message.header.frame_id = "base_link"
        while not topic.get_subscription_count():
            pass
        scene.peer.on_executor(topic.publish, message)
        agent.expect("8A 00000030 00000002")
        agent.send("01 00000030 00000000")
        scene.robot.next_goal()
        agent.send("04")


# --- starting ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameter,value,sentence",
    [
        ("navigation_type", "nav2_msgs/NavigateToPose", "is no type such as"),
        ("navigation_type", "no_msgs/action/Go", "no_msgs/action/Go is not installed"),
        ("navigation_type", "nav2_msgs/action/NavigateThroughPoses", "no PoseStamped pose"),
        ("room_map", "/nowhere.yaml", "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_said_at_the_start(hosted, parameter, value, sentence):
    with pytest.raises(StartupError, match=sentence), hosted(**{parameter: value}):
        pass
