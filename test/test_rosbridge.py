# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real rosbridge, as view.launch.py starts it, and a JSON client: all five systems.

Each topic and service of the launched systems answers; each action has a goal that ends and one
that is cancelled.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import pytest
from action_msgs.msg import GoalStatus
from rclpy.action.graph import get_action_names_and_types
from rclpy.qos import qos_profile_sensor_data

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_testing.machine import launch_command, with_installation
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from legacy_robots_testing.ros_peer import RosPeer

ROSBRIDGE = os.environ.get("LEGACY_ROBOTS_ROSBRIDGE", "")
"""Where rosbridge_server and what it needs are, see docs/integrate.md."""
needs_rosbridge = pytest.mark.skipif(
    not ROSBRIDGE, reason="needs LEGACY_ROBOTS_ROSBRIDGE, see docs/integrate.md"
)
DONE, FAILED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED
CANCELED = GoalStatus.STATUS_CANCELED


@dataclass(frozen=True)
class Call:
    """A call of a service between two goals."""

    service: str
    type: str
    request: dict


@dataclass(frozen=True)
class Goal:
    """A goal that is expected to end with ``status``; CANCELED: it is cancelled under way.

    ``goal`` may be made when it is its turn, of what the JSON client reads. ``cancel``: it is
    cancelled, though the original cannot stop what it does.
    """

    action: str
    goal: dict | Callable
    status: int = DONE
    cancel: bool = False

    @property
    def cancelled(self):
        return self.cancel or self.status == CANCELED


def pose(frame, x, y):
    place = {"position": {"x": x, "y": y}, "orientation": {"w": 1.0}}
    return {"header": {"frame_id": frame}, "pose": place}


def joint(name, angle, seconds):
    point = {"positions": [angle], "time_from_start": {"sec": seconds}}
    return {"trajectory": {"joint_names": [name], "points": [point]}}


def navigation(frame, near, far):
    """Return goals for the shapes of Nav2; ``far`` is cancelled."""
    return [
        Goal("navigate_to_pose", {"pose": pose(frame, *near)}),
        Goal("navigate_to_pose", {"pose": pose(frame, *far)}, CANCELED),
        Goal("navigate_to_pose", {"pose": pose(frame, -500.0, 900.0)}, FAILED),
        Goal("navigate_through_poses", {"poses": [pose(frame, *near), pose(frame, *near)]}),
        Goal(
            "navigate_through_poses",
            {"poses": [pose(frame, *far), pose(frame, *near)] * 3},
            CANCELED,
        ),
    ]


def block_in_sight(client):
    seen = client.first("/bw4t/Bot_1/visible_blocks", "legacy_robots_msgs/msg/Bw4tBlocks")
    return {"block_id": seen["blocks"][0]["id"]}


def speed(factor):
    return Call("set_speed", "legacy_robots_msgs/srv/Bw4tSetSpeed", {"speed": factor})


def of_bot_1(goals):
    return [Goal(f"Bot_1/{goal.action}", goal.goal, goal.status) for goal in goals]


STEPS = [
    Goal("simulate_steps", {"steps": 3}),
    Goal("simulate_steps", {"steps": 100000}, CANCELED),
]


def simulation(state):
    kind = "simulation_interfaces/srv/SetSimulationState"
    return Call("set_simulation_state", kind, {"state": {"state": state}})


PAUSED, PLAYING = simulation(2), simulation(1)
SCRIPTS = {
    "nao": [
        Goal("go_to", {"marker_id": 114}),
        Goal("pick_up", {"object_id": 1}, cancel=True),
        Goal("put_down", {}, cancel=True),
        Goal("go_to", {"marker_id": 64}, CANCELED),
        *navigation("map", (0.5, 0.0), (2.0, 0.0)),
        PAUSED,
        *STEPS,
        PLAYING,
    ],
    "aibo": [
        Goal("walk_steps", {"x": 0.1}),
        Goal("walk_steps", {"x": 1.0}, CANCELED),
        Goal("play_motion", {"name": "wave"}),
        Goal("play_motion", {"name": "wave"}, CANCELED),
        Goal("search_ball", {"colour": "pink"}),
        Goal("search_ball", {"colour": "green", "timeout": 100.0}, CANCELED),
        Goal("follow_joint_trajectory", joint("neck_pan", 0.5, 1)),
        Goal("follow_joint_trajectory", joint("neck_pan", -0.5, 60), CANCELED),
        *navigation("odom", (0.2, 0.1), (0.9, -0.2)),
        PAUSED,
        *STEPS,
        PLAYING,
    ],
    "bw4t": [
        *of_bot_1(
            [
                Goal("go_to", {"place": "RoomB1"}),
                Goal("go_to", {"place": "LeftHallA"}, CANCELED),
                Goal("go_to", {"place": "RoomB1"}),
                Goal("go_to_block", block_in_sight),
            ]
        ),
        *of_bot_1([Goal("go_to", {"place": "FrontRoomC2"}, CANCELED)]),
        *of_bot_1([Goal("navigate_obstacles", {}, CANCELED), Goal("navigate_obstacles", {})]),
        *of_bot_1([Goal("go_to", {"place": "RoomB1"})]),
        speed(0.02),
        *of_bot_1([Goal("go_to_block", block_in_sight, CANCELED)]),
        speed(5.0),
        *of_bot_1(navigation("map", (15.0, -45.0), (5.0, -5.0))),
        PAUSED,
        *STEPS,
        PLAYING,
    ],
    "luar": [
        Goal("follow_joint_trajectory", joint("HeadYaw", 0.6, 1)),
        Goal("follow_joint_trajectory", joint("HeadYaw", -1.0, 60), CANCELED),
        PAUSED,
        *STEPS,
        PLAYING,
    ],
    "roboskate": STEPS,
}
ARGUMENTS = {
    "bw4t": ("robots:=1", "team:=none"),
    "luar": ("joint_commands:=true",),
}
"""Of the launch files, beside simulation_interfaces:=true where the simulator is a program."""
LAST_SERVICES = ("exit", "shutdown")


class JsonClient:
    """A program that has a websocket and JSON, and no ROS."""

    def __init__(self, url):
        websocket = pytest.importorskip("websocket", reason="needs: pip install websocket-client")
        self._socket = websocket.create_connection(url, timeout=TIMEOUT)
        self._socket.settimeout(None)
        self._closed = websocket.WebSocketConnectionClosedException
        self._ids = count()
        self.received = Recorder("rosbridge")
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        try:
            while text := self._socket.recv():
                self.received.add(json.loads(text))
        except (OSError, self._closed):
            pass  # by close()

    def close(self):
        self._socket.sock.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()

    def send(self, op, **fields):
        """Send an operation; return its id."""
        name = f"{op}_{next(self._ids)}"
        self.send_raw({"op": op, "id": name, **fields})
        return name

    def send_raw(self, operation):
        self._socket.send(json.dumps(operation))

    def wait_for(self, op, name, timeout=2 * TIMEOUT):
        """Return the first operation that has come for an id."""
        return self.received.wait_for(lambda m: m["op"] == op and m.get("id") == name, timeout)

    def call(self, service, kind, request):
        """Call a service; return the response. Asks again until rosbridge has discovered it."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            name = self.send("call_service", service=service, type=kind, args=request)
            answer = self.wait_for("service_response", name)
            unknown = answer["values"] == f"Service {service} does not exist"
            if not unknown or time.monotonic() > deadline:
                return answer
            time.sleep(0.1)  # rosbridge has no event for what it discovers

    def subscribed(self, topic, kind):
        """Subscribe; return the first message, or None where none comes within 5 s."""
        self.received.clear()
        name = self.send("subscribe", topic=topic, type=kind, throttle_rate=1000, queue_length=1)
        try:
            return self.received.wait_for(
                lambda m: m["op"] == "publish" and m["topic"] == topic, TIMEOUT / 8
            )["msg"]
        except TimeoutError:
            return None
        finally:
            self.send_raw({"op": "unsubscribe", "id": name, "topic": topic})

    def first(self, topic, kind):
        """Return a message of a topic.

        Asks again: rosbridge takes latched messages only where it knows the publisher already.
        """
        for _ in range(12):
            if (message := self.subscribed(topic, kind)) is not None:
                return message
        raise TimeoutError(f"no message of {topic}")


@pytest.mark.lint
def test_every_documented_action_has_a_goal_that_ends_and_one_that_is_cancelled(system):
    goals = [goal for goal in SCRIPTS[system.name] if isinstance(goal, Goal)]
    actions = (name for name, (kind, _) in system.interface().items() if kind == "action")
    documented = {system.concrete(name) for name in actions}
    assert documented <= {goal.action for goal in goals if goal.cancelled}
    assert documented <= {goal.action for goal in goals if goal.status == DONE}


@pytest.fixture(scope="module")
def bridge():
    """Launch rosbridge as a user does; give its address."""
    command = launch_command("view.launch.py", "rosbridge:=true", "rosbridge_port:=0", "port:=0")
    with Process(command, with_installation(ROSBRIDGE)) as launch:
        line = launch.wait_for_line(r"server started on port \d+")
        yield f"ws://127.0.0.1:{line.split()[-1]}"


@pytest.fixture
def client(bridge):
    client = JsonClient(bridge)
    yield client
    client.close()


@pytest.fixture(scope="module")
def running(system, machine_wide):
    """Launch a system with all the actions that it can have."""
    arguments = [*system.free_ports(), *system.arguments, *ARGUMENTS.get(system.name, ())]
    if system.name != "bw4t":
        arguments.append("simulation_interfaces:=true")
    lock = "luar_joints" if system.name == "luar" else system.lock
    command = launch_command(system.launch_file.name, *arguments)
    with machine_wide(lock), Process(command) as launch:
        launch.wait_for_line("link connected")
        if system.name != "bw4t":
            launch.wait_for_line(r"\[simulation-\d+\].*link connected")
        with RosPeer() as peer:
            actions = {step.action for step in SCRIPTS[system.name] if isinstance(step, Goal)}
            status = (f"/{system.name}/{action}/_action/status" for action in actions)
            peer.wait_for_publishers(*status)
            yield peer


def run_goal(client, path, goal, kind):
    """Send a goal; cancel it under way where that is what is expected; return its end."""
    args = goal.goal(client) if callable(goal.goal) else goal.goal
    name = client.send("send_action_goal", action=path, action_type=kind, args=args, feedback=True)
    if goal.cancelled:
        client.received.wait_for(  # a Nao's goal may wait for the end of another
            lambda m: (
                m["op"] == "action_feedback"
                and m["id"] == name
                and m["values"].get("phase") != NaoGoTo.Feedback.QUEUED
            )
        )
        for _ in range(5):  # rosbridge drops one that comes before the goal's acceptance
            client.send_raw({"op": "cancel_action_goal", "id": name, "action": path})
            with suppress(TimeoutError):
                return name, client.wait_for("action_result", name, 1.0)
    return name, client.wait_for("action_result", name, 4 * TIMEOUT)


@needs_rosbridge
def test_goals_feedback_results_and_cancellation_of_every_action(system, running, client):
    prefix = f"/{system.name}/"
    actions = {
        name.removeprefix(prefix): types[0]
        for name, types in get_action_names_and_types(running.node)
        if name.startswith(prefix)
    }
    ended, reported = set(), set()
    for step in SCRIPTS[system.name]:
        if isinstance(step, Call):
            assert client.call(prefix + step.service, step.type, step.request)["result"]
            continue
        kind = actions[step.action]
        name, end = run_goal(client, prefix + step.action, step, kind)
        assert end["result"], (step, end)
        assert end["status"] == step.status, (step, end)
        action = interface_class(kind)
        assert end["values"].keys() == action.Result.get_fields_and_field_types().keys()
        if step.status == DONE:
            ended.add((step.action, "succeeded"))
        if step.cancelled:
            ended.add((step.action, "cancelled"))
        for feedback in client.received.items:
            if feedback["op"] == "action_feedback" and feedback["id"] == name:
                fields = action.Feedback.get_fields_and_field_types().keys()
                assert feedback["values"].keys() == fields
                reported.add(step.action)
    for how in ("succeeded", "cancelled"):
        assert {name for name, seen in ended if seen == how} == set(actions)
    assert reported == set(actions)
    print(f"{system.name}: {len(actions)} actions: {', '.join(sorted(actions))}")


@needs_rosbridge
@pytest.mark.timeout(600)
def test_what_rclpy_hears_of_the_launched_system_a_json_client_hears(system, running, client):
    carried, silent = [], []
    for documented, (row, type_name) in system.interface().items():
        if "topic" not in row:
            continue
        name, kind = system.absolute(documented), interface_class(type_name)
        profile = qos.LATCHED if row.startswith("latched") else qos_profile_sensor_data
        heard = running.subscribe(kind, name, profile)
        message = client.subscribed(name, type_name)
        if message is None and heard.items:
            message = client.first(name, type_name)
        if message is None:
            silent.append(name)
        else:
            assert message.keys() == kind.get_fields_and_field_types().keys()
            carried.append(name)
    assert f"/{system.name}/link_state" in carried
    print(f"{system.name}: {len(carried)} topics; nothing was said on {silent}")


@needs_rosbridge
def test_services_of_the_launched_system_answer(system, running, client):
    types = {name: t for name, (kind, t) in system.interface().items() if kind == "service"}
    services = sorted(types, key=lambda name: name.endswith(LAST_SERVICES))
    for name in services:
        type_name = types[name]
        answer = client.call(system.absolute(name), type_name, {})
        assert answer["result"], (name, answer)
        fields = interface_class(type_name).Response.get_fields_and_field_types()
        assert answer["values"].keys() == fields.keys()
    print(f"{system.name}: {len(services)} services")
