# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""When a change of the link's status is the loss of the link, and when it is not."""

import pytest
import rclpy
from lifecycle_msgs.srv import GetState
from rclpy.context import Context

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_core.link.base import LinkState, LinkStatus
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


class Recording(BridgeNode):
    """Records what the base tells it."""

    def __init__(self, **arguments):
        super().__init__(hardware_id="toy", **arguments)
        self.calls = []

    def on_connected(self):
        self.calls.append("connected")

    def make_safe(self, reason):
        self.calls.append("make safe")

    def on_disconnected(self, reason):
        self.calls.append("disconnected")


class WithCamera(Recording):
    """Is of use while only its camera has a fault."""

    def is_usable(self, status):
        return super().is_usable(status) or status.detail.startswith("camera")


@pytest.fixture
def make_node():
    """Return a function that makes a node in a context of its own."""
    context = Context()
    rclpy.init(context=context)
    nodes = []

    def make(kind):
        nodes.append(kind(context=context))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()
    rclpy.shutdown(context=context)


@pytest.mark.parametrize("kind, is_lost", [(Recording, True), (WithCamera, False)])
def test_a_fault_is_the_loss_of_the_link_unless_the_bridge_says_otherwise(
    make_node, kind, is_lost
):
    node = make_node(kind)
    lost = ["make safe", "disconnected"]
    for state, detail, calls in (
        (LinkState.CONNECTING, "connecting", []),
        (LinkState.CONNECTED, "connected", ["connected"]),
        (LinkState.FAULT, "camera: bad image", lost if is_lost else []),
        (LinkState.CONNECTED, "connected", ["connected"] if is_lost else []),
        (LinkState.FAULT, "stall", lost),
        (LinkState.CONNECTING, "connecting", []),
    ):
        node.calls.clear()
        node.on_status(LinkStatus(state, "toy", detail, 1))
        assert node.calls == calls


def test_it_answers_as_a_lifecycle_node_whether_its_link_can_be_used():
    with RunningNode(Recording, {}) as node, RosPeer() as peer:
        for state, label in (
            (LinkState.CONNECTING, "inactive"),
            (LinkState.CONNECTED, "active"),
            (LinkState.FAULT, "inactive"),
        ):
            node.on_status(LinkStatus(state, "toy", "so it is", 1))
            service = f"{node.get_fully_qualified_name()}/get_state"
            answer = peer.call(GetState, service, GetState.Request())
            assert answer.current_state.label == label
