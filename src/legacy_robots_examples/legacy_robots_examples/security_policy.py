# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Write an SROS 2 policy for what runs now: who may command, and who may only look.

    ros2 run legacy_robots_examples security_policy --ros-args -p file:=policy.xml

Start everything that is to run beside the robots first. All of it belongs to the enclave
``/robots`` and may offer what it offers now. ``/operators`` may publish what robots subscribe to,
call their services and send goals. ``/viewers`` may subscribe. The next steps are in
docs/computers.md.
"""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rclpy.action import get_action_server_names_and_types_by_node
from rclpy.node import Node, NodeNameNonExistentError

from legacy_robots_common.node.parameters import parameter
from legacy_robots_examples.goals import SERVER_SECONDS, MissionFailed, run, spin_once

QUIET_S = 2.0
"""Time without anything new (s) after which the graph counts as complete."""

OWN_TOPICS = {"/rosout", "/parameter_events"}
OWN_SERVICES = {
    f"/*/{service}"
    for service in (
        "describe_parameters",
        "get_parameter_types",
        "get_parameters",
        "get_type_description",
        "list_parameters",
        "set_parameters",
        "set_parameters_atomically",
    )
}
"""Of each node. Operators, viewers and ros2 launch have nodes whose names are not known before."""


@dataclass
class Interfaces:
    """What the nodes of a graph have, by name."""

    published: set[str] = field(default_factory=set)
    subscribed: set[str] = field(default_factory=set)
    services: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)

    @property
    def of_goals(self) -> set[str]:
        """The hidden topics on which actions publish the state of their goals."""
        kinds = ("feedback", "status")
        return {f"{action}/_action/{kind}" for action in self.actions for kind in kinds}


def interfaces(node: Node) -> Interfaces:
    """Return what all other nodes have that are known now."""
    found = Interfaces()
    for name, namespace in node.get_node_names_and_namespaces():
        if (name, namespace) == (node.get_name(), node.get_namespace()):
            continue
        with suppress(NodeNameNonExistentError):  # it has just gone
            actions = get_action_server_names_and_types_by_node(node, name, namespace)
            found.actions |= dict(actions).keys()
            for names, query in (
                (found.published, node.get_publisher_names_and_types_by_node),
                (found.subscribed, node.get_subscriber_names_and_types_by_node),
                (found.services, node.get_service_names_and_types_by_node),
            ):
                names |= {each for each, _ in query(name, namespace) if "/_action/" not in each}
    return found


def complete_interfaces(node: Node) -> Interfaces:
    """Return what all other nodes have, once nothing new is found. Raises MissionFailed."""
    found, changed = Interfaces(), time.monotonic()
    while time.monotonic() - changed < (QUIET_S if found.published else SERVER_SECONDS):
        spin_once(node)
        if (now := interfaces(node)) != found:
            found, changed = now, time.monotonic()
    if not found.published:
        raise MissionFailed("nothing runs here; start what is to be protected first")
    return found


def policy(found: Interfaces) -> ET.ElementTree:
    """Return the policy, in the format of SROS 2 (version 0.2.0 of its policy.xsd)."""
    root = ET.Element("policy", version="0.2.0")
    enclaves = ET.SubElement(root, "enclaves")
    looks = found.published | found.of_goals | {"/clock"}
    for path, is_robot, may_command in (
        ("/robots", True, True),
        ("/operators", False, True),
        ("/viewers", False, False),
    ):
        profiles = ET.SubElement(ET.SubElement(enclaves, "enclave", path=path), "profiles")
        profile = ET.SubElement(profiles, "profile", ns="/", node=path[1:])
        published, subscribed = set(OWN_TOPICS), set(looks)
        if may_command:
            subscribed |= found.subscribed
            published |= found.subscribed
            _add_rule(profile, "service", found.services, request="ALLOW")
            _add_rule(profile, "action", found.actions, call="ALLOW")
        if is_robot:
            published |= found.published
            _add_rule(profile, "service", found.services, reply="ALLOW")
            _add_rule(profile, "action", found.actions, execute="ALLOW")
        else:  # only the robots answer in the robots' names
            _add_rule(profile, "service", found.services, reply="DENY")
        _add_rule(profile, "service", OWN_SERVICES, reply="ALLOW")
        _add_rule(profile, "topic", published, publish="ALLOW")
        _add_rule(profile, "topic", subscribed, subscribe="ALLOW")
    ET.indent(root)
    return ET.ElementTree(root)


def _add_rule(profile: ET.Element, kind: str, names: set[str], **qualifier: str) -> None:
    if names:
        listed = ET.SubElement(profile, f"{kind}s", qualifier)
        for name in sorted(names):
            ET.SubElement(listed, kind).text = name


@dataclass(frozen=True)
class Parameters:
    """The program's parameters."""

    file: str = parameter("policy.xml", "file that is written")


def write_policy(node: Node, parameters: Parameters) -> None:
    """Write the policy of what runs now into the parameter ``file``. Raises MissionFailed."""
    path = Path(parameters.file)
    found = complete_interfaces(node)
    try:
        policy(found).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise MissionFailed(f"{path} cannot be written: {error}") from error
    counts = (
        f"{len(found.published | found.subscribed)} topics, {len(found.services)} services, "
        f"{len(found.actions)} actions"
    )
    node.get_logger().info(f"{path}: {counts}")


def main() -> None:
    """Run the program."""
    run("security_policy", write_policy, Parameters)
