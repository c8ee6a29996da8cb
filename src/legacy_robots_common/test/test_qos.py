# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Quality of service per topic: what is overridden, what is not, and what is refused."""

import pytest
import rclpy
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from std_msgs.msg import String

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError

pytestmark = pytest.mark.node


@pytest.fixture
def make_node():
    context = rclpy.Context()
    rclpy.init(context=context)
    nodes = []

    def make(**overrides):
        given = [
            Parameter(f"qos_overrides./chatter.{name}", value=value)
            for name, value in overrides.items()
        ]
        nodes.append(Node("n", context=context, parameter_overrides=given))
        return nodes[-1]

    # Names of parameters have dots, which keywords have not.
    yield lambda **given: make(**{n.replace("__", "."): v for n, v in given.items()})
    for node in nodes:
        node.destroy_node()
    rclpy.shutdown(context=context)


def offered(node, topic):
    (info,) = node.get_publishers_info_by_topic(topic)
    return info.qos_profile


def test_reliability_and_durability_are_overridden(make_node):
    node = make_node(publisher__reliability="best_effort", publisher__durability="transient_local")
    qos.publisher(node, String, "chatter", qos.stream())
    assert offered(node, "/chatter").reliability is ReliabilityPolicy.BEST_EFFORT
    assert offered(node, "/chatter").durability is DurabilityPolicy.TRANSIENT_LOCAL


def test_history_and_depth_are_parameters_with_the_values_in_use(make_node):
    node = make_node(publisher__depth=7)
    qos.publisher(node, String, "chatter", qos.stream(3))
    assert node.get_parameter("qos_overrides./chatter.publisher.depth").value == 7
    assert node.get_parameter("qos_overrides./chatter.publisher.history").value == "keep_last"


def test_an_override_is_for_its_topic_alone(make_node):
    node = make_node(publisher__reliability="best_effort", publisher__durability="volatile")
    qos.publisher(node, String, "chatter", qos.LATCHED)
    qos.publisher(node, String, "other", qos.LATCHED)
    assert offered(node, "/chatter").reliability is ReliabilityPolicy.BEST_EFFORT
    assert offered(node, "/other").reliability is ReliabilityPolicy.RELIABLE
    assert offered(node, "/other").durability is DurabilityPolicy.TRANSIENT_LOCAL
    assert qos.LATCHED.reliability is ReliabilityPolicy.RELIABLE


def test_subscriptions_are_overridden_too(make_node):
    node = make_node(subscription__reliability="best_effort")
    qos.subscription(node, String, "chatter", lambda message: None, qos.stream(5))
    (info,) = node.get_subscriptions_info_by_topic("/chatter")
    assert info.qos_profile.reliability is ReliabilityPolicy.BEST_EFFORT


@pytest.mark.parametrize(
    "given",
    [
        {"publisher__reliability": "perhaps"},
        {"publisher__depth": "deep"},
        {"publisher__depth": -1},
        {"publisher__durability": 5},
    ],
)
def test_a_wrong_override_is_refused_with_its_topic(make_node, given):
    with pytest.raises(ParameterError, match="qos_overrides of /chatter"):
        qos.publisher(make_node(**given), String, "chatter", qos.stream())


def test_a_publisher_is_nothing_that_an_executor_waits_for(make_node):
    node = make_node()
    before = len(list(node.waitables))
    qos.publisher(node, String, "chatter", qos.stream())
    assert len(list(node.waitables)) == before
