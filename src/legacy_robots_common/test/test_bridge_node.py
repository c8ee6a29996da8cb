# SPDX-License-Identifier: Apache-2.0
"""When a change of the link's status is the loss of the link, and when it is not."""

import pytest
import rclpy
from rclpy.context import Context

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.link.base import LinkState, LinkStatus


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
