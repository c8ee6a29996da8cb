# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration on one /clock: stepped twice from the start it sends the same messages."""

import array
import importlib
import signal
import time
from contextlib import ExitStack

import numpy as np
import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rosgraph_msgs.msg import Clock
from simulation_interfaces import msg, srv

from legacy_robots_common.node import qos
from legacy_robots_common.system import systems
from legacy_robots_testing.demonstration import own_arguments
from legacy_robots_testing.machine import launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.demonstration

WARM_UP_STEPS = 2
"""Not recorded: a subscription that is new may miss messages."""
SKIPPED_STEPS = 3
"""Recorded, not compared: RoboSkate's stamps are ahead of the clock, so that those of the last
warm-up steps count here, and whether these came before the recording began is chance."""
STEPS = 100
FURTHER_STEPS = 50
"""Not compared: they give the last message of each publisher the time to arrive."""
STEPS_AT_ONCE = 5
"""A publisher keeps its last ten messages for a subscriber that is late on a busy machine."""
STEP_NS = 20_000_000
SECOND_NS = 1_000_000_000
R, S = msg.Result, msg.SimulationState
EXCLUDED = {
    "/diagnostics": "host load and real ages",
    "/rosout": "real times",
    "/parameter_events": "of the start",
}
"""Topics that are not repeatable, and why; so are link_state, of the start and the end, and Luar's
segments, which tell inodes."""
ACTING = (
    "/nao/sightings",
    "/roboskate/odom",
    "/roboskate/camera/image_raw",
    "/luar/ball",
    "/luar/joint_states",
    "/bw4t/Bot_1/percepts",
    "/bw4t/Bot_3/messages",
    "/aibo/joint_states",
    "/aibo/odom",
    "/tf",
)
"""Topics on which something has to happen in each system."""


def is_repeatable(topic):
    return not (
        topic in EXCLUDED
        or "/segments/" in topic
        or topic.endswith("/link_state")
        or "/_action/" in topic  # whose goals have random ids
    )


def value(message):
    """Return a message as a value that can be compared, not-a-number included."""
    if hasattr(message, "get_fields_and_field_types"):
        return tuple(
            value(getattr(message, name)) for name in message.get_fields_and_field_types()
        )
    if isinstance(message, np.ndarray | array.array):
        return message.tobytes()
    if isinstance(message, list | tuple):
        return tuple(map(value, message))
    return repr(message)


def nanoseconds(stamp):
    return stamp.sec * SECOND_NS + stamp.nanosec


def stamp_of(message):
    """Return the newest stamp in nanoseconds, None of a message without one."""
    parts = [message, *getattr(message, "transforms", ()), *getattr(message, "markers", ())]
    stamps = [nanoseconds(part.header.stamp) for part in parts if hasattr(part, "header")]
    return max(stamps, default=None)


def message_type(name):
    package, _, kind = name.split("/")
    return getattr(importlib.import_module(f"{package}.msg"), kind)


class Recording:
    """What a launch publishes from its first step on, as bytes by topic."""

    def __init__(self, peer):
        self._peer = peer
        self.types = {}
        self.messages = {}
        self._steps = 0
        self._latched = set()
        self.clock = Recorder("/clock")
        peer.subscribe_with(Clock, "/clock", self.clock.add, qos.stream(10))

    def subscribe(self):
        """Subscribe to every topic that there is."""
        node = self._peer.node
        for topic, (kind, *_) in node.get_topic_names_and_types():
            publishers = node.get_publishers_info_by_topic(topic)
            if topic in self.messages or not publishers or not is_repeatable(topic):
                continue
            offered = [info.qos_profile for info in publishers]
            is_latched = all(q.durability is DurabilityPolicy.TRANSIENT_LOCAL for q in offered)
            is_reliable = all(q.reliability is ReliabilityPolicy.RELIABLE for q in offered)
            latched, volatile = DurabilityPolicy.TRANSIENT_LOCAL, DurabilityPolicy.VOLATILE
            reliable, best_effort = ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT
            profile = QoSProfile(
                depth=1000,
                durability=latched if is_latched else volatile,
                reliability=reliable if is_reliable else best_effort,
            )
            self.types[topic] = message_type(kind)
            if is_latched:
                self._latched.add(topic)
            self.messages[topic] = received = []
            take = received.append
            node.create_subscription(self.types[topic], topic, take, profile, raw=True)

    def wait_for_topics(self):
        """Subscribe until all that acts is there: a graph becomes known bit by bit."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            known = len(self.messages)
            self._peer.on_executor(self.subscribe)
            if len(self.messages) == known and self.messages.keys() >= set(ACTING):
                return
            assert time.monotonic() < deadline, sorted(set(ACTING) - self.messages.keys())
            time.sleep(0.5)  # it is known when nothing new has come for that time

    def begin(self):
        """Forget what the start has published, once it is here; the clock stands."""
        known = -1
        while (count := sum(map(len, self.messages.values()))) != known:
            known = count
            time.sleep(0.3)  # all is here when nothing new has come for that time
        for received in self.messages.values():
            received.clear()

    def step_to(self, last, call):
        """Step, up to the step ``last``, and wait until what it has published is here."""
        while (left := last - self._steps) > 0:
            count = min(left, STEPS_AT_ONCE)
            call(srv.StepSimulation, "step_simulation", steps=count)
            self._steps += count
            now = self._steps * STEP_NS
            self.clock.wait_for(lambda message, now=now: nanoseconds(message.clock) == now)
        self._peer.on_executor(lambda: None)  # after what had arrived before

    def values(self, first, last):
        """Return the messages of the steps after ``first`` up to ``last``, by topic.

        Those of /tf are by child frame too. Of messages without a stamp, those of further steps
        are among them; latched ones are left out, as they may be of the start.
        """
        found = {}
        for topic, received in self.messages.items():
            for data in list(received):
                message = deserialize_message(data, self.types[topic])
                stamp = stamp_of(message)
                if stamp is None:
                    if topic in self._latched:
                        continue
                elif not first * STEP_NS < stamp <= last * STEP_NS:
                    continue
                name = topic
                if topic == "/tf":  # of many publishers, whose order within a step is chance
                    name += message.transforms[0].child_frame_id
                found.setdefault(name, []).append((stamp, value(message)))
        return found


def is_same(first, second):
    """Return whether two launches sent the same on a topic; without stamps, as far as both go."""
    if None in {stamp for stamp, _ in first + second}:
        count = min(len(first), len(second))
        return count > 0 and first[:count] == second[:count]
    return first == second


def run_once(arguments):
    """Launch, record STEPS steps, end; return the messages by topic."""
    command = launch_command("demo.launch.py", "stepped:=true", "compose:=true", *arguments)
    with Process(command) as launch, RosPeer() as peer:

        def call(kind, name, **fields):
            request = kind.Request(**fields)
            response = peer.call(kind, f"/simulation/{name}", request, timeout=200.0)
            assert response.result.result == R.RESULT_OK, response.result
            return response

        recording = Recording(peer)
        state = call(srv.GetSimulationState, "get_simulation_state").state.state
        assert state == S.STATE_PAUSED  # and all is there
        recording.wait_for_topics()
        recording.clock.wait_for(lambda message: message.clock.sec == 0)
        recording.step_to(WARM_UP_STEPS, call)
        recording.begin()
        first = WARM_UP_STEPS + SKIPPED_STEPS
        last = first + STEPS
        recording.step_to(last + FURTHER_STEPS, call)
        found = recording.values(first, last)
        launch.signal(signal.SIGINT)
        assert launch.wait() == 0
    return found


@pytest.mark.timeout(900)
def test_the_same_steps_give_the_same_messages(machine_wide):
    arguments = [*own_arguments(), "bw4t_seed:=1"]
    with ExitStack() as stack:
        for system in systems():
            stack.enter_context(machine_wide(system.exclusive))
        first, second = run_once(arguments), run_once(arguments)
    for topic in ACTING:
        assert any(name.startswith(topic) for name in first), topic
    different = [
        t for t in sorted({*first, *second}) if not is_same(first.get(t, []), second.get(t, []))
    ]
    counts = {t: (len(first.get(t, ())), len(second.get(t, ()))) for t in different}
    assert not different, f"messages of the two launches by topic: {counts}"
