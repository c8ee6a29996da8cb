# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the documents say is what the code does, and nothing is left out."""

import importlib
import re
import time
from pathlib import Path

import pytest
from launch.actions import DeclareLaunchArgument
from launch.launch_description_sources import get_launch_description_from_python_launch_file
from launch.substitutions import LaunchConfiguration
from launch.utilities import perform_substitutions
from rcl_interfaces.srv import ListParameters
from rclpy.node import NodeNameNonExistentError

from launch import LaunchContext
from legacy_robots_testing.launch_probe import fake_packages, started
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
COMMON_ARGUMENTS = {
    "namespace",
    "frame_prefix",
    "simulate",
    "params_file",
    "rviz",
    "log_level",
    "respawn",
}
VIEW_ARGUMENTS = {"host", "port", "params_file", "log_level", "respawn"}
# What every node has; it need not be documented.
STANDARD_TOPICS = {"/parameter_events", "/rosout", "/clock"}
STANDARD_SERVICES = (
    "describe_parameters",
    "get_parameter_types",
    "get_parameters",
    "get_type_description",
    "list_parameters",
    "set_parameters",
    "set_parameters_atomically",
)


def code(cell):
    """Return the names that a cell of a table shows as code."""
    return re.findall(r"`([^`]+)`", cell)


def declared_arguments(path):
    """Return the launch arguments of a launch file."""
    description = get_launch_description_from_python_launch_file(str(path))
    return [e for e in description.entities if isinstance(e, DeclareLaunchArgument)]


def test_the_common_launch_arguments_are_there(documented):
    declared = {argument.name for argument in declared_arguments(documented.launch_file)}
    assert declared >= (VIEW_ARGUMENTS if documented.name == "view" else COMMON_ARGUMENTS)


LAUNCH_FILES = pytest.mark.parametrize(
    "path", sorted(ROOT.glob("launch/*.launch.py")), ids=lambda p: p.name
)


WINDOWS = ("rviz2/rviz2", "rqt_gui/rqt_gui", "rosbridge_server/rosbridge_websocket")


@LAUNCH_FILES
def test_the_arguments_of_every_launch_file_have_an_effect(path, tmp_path, monkeypatch):
    """With everything on, but for ``respawn``, some action asks for each of them."""
    asked = set()

    perform = LaunchConfiguration.perform

    def recorded(self, context):
        asked.add(perform_substitutions(context, self.variable_name))
        return perform(self, context)

    monkeypatch.setattr(LaunchConfiguration, "perform", recorded)
    monkeypatch.setenv("AMENT_PREFIX_PATH", fake_packages(tmp_path / "prefix", *WINDOWS))
    declared = declared_arguments(path)
    context = LaunchContext()
    for argument in declared:
        argument.visit(context)
    defaults = context.launch_configurations.items()
    switches = {name for name, default in defaults if default in ("true", "false")}
    given = dict.fromkeys(switches - {"respawn", "compose"}, "true")
    if "view" in dict(defaults):
        given["view"] = "web"
    assert started(tmp_path, path, **given)
    assert asked >= {argument.name for argument in declared}


@LAUNCH_FILES
def test_the_arguments_of_every_launch_file_are_described(path):
    for argument in declared_arguments(path):
        assert argument.description not in ("", "no description given"), argument.name


def interface_of(namespace, node):
    """Return what the nodes of a namespace, other than ``node``, have on the graph now."""
    interface = {}
    for name, space in node.get_node_names_and_namespaces():
        if space != namespace or name == node.get_name():
            continue
        try:
            endpoints = [
                *node.get_publisher_names_and_types_by_node(name, space),
                *node.get_subscriber_names_and_types_by_node(name, space),
            ]
            services = node.get_service_names_and_types_by_node(name, space)
        except NodeNameNonExistentError:
            continue  # it was seen a moment ago, and is not known by name yet
        endpoints += [s for s in services if s[0].rsplit("/", 1)[1] not in STANDARD_SERVICES]
        interface.update({topic: types[0] for topic, types in endpoints})
    for name in [n for n in interface if "/_action/" in n]:
        kind = interface.pop(name)
        if name.endswith("/_action/feedback"):
            interface[name.split("/_action/")[0]] = kind.replace("_FeedbackMessage", "")
    return interface


@pytest.mark.system
def test_every_topic_service_and_action_is_documented_with_its_type(system, launched):
    namespace = f"/{system.name}"
    documented = {name: kind for name, (_, kind) in system.interface().items()}
    with RosPeer(namespace=system.name) as peer:
        peer.wait_for_node(namespace, count=system.nodes)
        # A node's endpoints are discovered one by one: until all are there, or it takes too long.
        deadline = time.monotonic() + TIMEOUT
        while True:
            found = {
                system.generic(name.removeprefix(namespace + "/")): kind
                for name, kind in interface_of(namespace, peer.node).items()
                if name not in STANDARD_TOPICS or name in documented
            }
            if documented.keys() <= found.keys() or time.monotonic() > deadline:
                break
            time.sleep(0.1)
    assert documented == found


SIMULATORS_FAULTS = {
    "nao": "nao_goal_bridge.simulator.program:NAO_FAULTS",
    "roboskate": "roboskate_game.simulator.game_service:ROBOSKATE_FAULTS",
    "luar": "luar_bridge.simulator.arguments:FAULTS",
    "aibo": "legacy_robots_simulation.program:FAULTS",
}


def test_every_fault_of_a_simulator_is_documented(system):
    rows = system.table("Faults")
    assert rows
    if system.name not in SIMULATORS_FAULTS:
        return  # the blocks world's are those of its processes, no simulator's
    module, name = SIMULATORS_FAULTS[system.name].split(":")
    faults = getattr(importlib.import_module(module), name)
    assert {name for row in rows for name in code(row[0])} == set(faults)


def test_every_interface_definition_is_in_some_document():
    documents = "".join(p.read_text(encoding="utf-8") for p in ROOT.glob("docs/*.md"))
    kinds = ("msg", "srv", "action")
    definitions = [path for kind in kinds for path in ROOT.glob(f"{kind}/*.{kind}")]
    used = "".join(path.read_text(encoding="utf-8") for path in definitions)
    for kind in kinds:
        for path in ROOT.glob(f"{kind}/*.{kind}"):
            # A message that only is part of others is found by way of them.
            nested = kind == "msg" and re.search(rf"^{path.stem}(\[.*?\])? ", used, re.MULTILINE)
            assert f"legacy_robots_msgs/{kind}/{path.stem}" in documents or nested, path.name


@pytest.mark.system
def test_the_quality_of_every_topic_can_be_overridden(system, launched):
    ends = {
        system.absolute(name): "subscription" if kind == "subscription" else "publisher"
        for name, (kind, _) in system.interface().items()
        if "topic" in kind or kind == "subscription"
    }
    wanted = {
        f"qos_overrides.{name}.{end}.{policy}"
        for name, end in ends.items()
        for policy in ("reliability", "durability", "history", "depth")
    }
    with RosPeer(namespace=system.name) as peer:
        peer.wait_for_node(f"/{system.name}", count=system.nodes)
        peer.wait_for_publishers(*(n for n, end in ends.items() if end == "publisher"))
        bridge = "server" if system.name == "bw4t" else "bridge"
        listed = peer.call(ListParameters, f"/{system.name}/{bridge}/list_parameters")
        assert wanted <= set(listed.result.names)
