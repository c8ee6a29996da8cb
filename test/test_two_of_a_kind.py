# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Two robots of one kind, by namespace and frame prefix: both are whole, and do not meet."""

from contextlib import ExitStack

import pytest
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

SHARED = {"/parameter_events", "/rosout", "/diagnostics", "/tf", "/tf_static", "/clock"}
LACKED_BY_B = {
    "luar": {"segments/dcmSensor", "segments/dcmActuator", "buttons", "dynamic_joint_states"}
}
"""What the further copy has not: a second Luar player is none of a Nao's profile."""
TELLS_NO_TRANSFORMS = {"nao"}


@pytest.fixture
def pair(system, ros2, machine_wide, own_domain):
    """Two of the system in the namespaces a and b, each with its simulator."""
    with ExitStack() as stack:
        stack.enter_context(machine_wide(system.lock))
        for name in ("a", "b"):
            arguments = [f"namespace:={name}", f"frame_prefix:={name}/"]
            arguments += [*system.free_ports(), *system.arguments]
            if name == "b":
                arguments += [f"{n}:={v}" for n, v in system.declared.further_copy.items()]
            command = ros2("launch", "legacy_robots_bringup", system.launch_file.name, *arguments)
            stack.enter_context(Process(command)).wait_for_line("link connected")
        yield stack.enter_context(RosPeer())


def test_two_of_a_kind_run_side_by_side(system, pair):
    interface = system.interface().items()
    documented = {system.concrete(n) for n, (kind, _) in interface if kind.endswith("topic")}
    documented -= SHARED
    for name in ("a", "b"):
        states = pair.subscribe(LinkState, f"/{name}/link_state")
        states.wait_for(lambda s: s.state == LinkState.CONNECTED)
        pair.wait_for_node(f"/{name}", count=system.nodes)
        # Their publishers become known one by one, after them.
        missing = LACKED_BY_B.get(system.name, set()) if name == "b" else set()
        pair.wait_for_publishers(*(f"/{name}/{topic}" for topic in documented - missing))

    topics = {topic for topic, _ in pair.node.get_topic_names_and_types()}
    assert {topic for topic in topics if not topic.startswith(("/a/", "/b/"))} <= SHARED
    if system.name in TELLS_NO_TRANSFORMS:
        return
    seen = pair.subscribe(TFMessage, "/tf", qos.stream(100))
    prefixes = set()

    def both_seen(message):
        prefixes.update(t.child_frame_id.split("/")[0] for t in message.transforms)
        return prefixes >= {"a", "b"}

    seen.wait_for(both_seen)
    assert prefixes == {"a", "b"}
