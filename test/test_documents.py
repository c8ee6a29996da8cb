# SPDX-License-Identifier: Apache-2.0
"""What the documents say is what the code does, and nothing is left out."""

import ast
import dataclasses
import importlib
import importlib.util
import re
import time
from pathlib import Path

import pytest
import yaml
from launch.actions import DeclareLaunchArgument, SetEnvironmentVariable
from rcl_interfaces.srv import ListParameters
from rclpy.node import NodeNameNonExistentError

from legacy_robots_common.launching import fast_dds
from legacy_robots_common.launching.system_launch import Settings
from legacy_robots_common.testing.recorder import TIMEOUT
from legacy_robots_common.testing.ros_peer import RosPeer

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


def as_written(value):
    """Return a default as the documents write it."""
    if value == "":
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def defaults(parameters_class):
    return {
        f.name: f.default if f.default is not dataclasses.MISSING else f.default_factory()
        for f in dataclasses.fields(parameters_class)
    }


def test_every_parameter_is_documented_with_its_default(documented):
    described = {code(row[0])[0]: row[1] for row in documented.table("Parameters")}
    expected = {n: as_written(v) for n, v in defaults(documented.parameters_class()).items()}
    assert described == expected


def test_every_parameter_is_in_the_configuration_with_its_default(documented):
    text = (ROOT / "config" / f"{documented.name}.yaml").read_text(encoding="utf-8")
    (settings,) = yaml.safe_load(text).values()
    assert settings["ros__parameters"] == defaults(documented.parameters_class())


def declared_in(path):
    """Return the names of all parameters that a module declares."""
    for assignment in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(assignment, ast.AnnAssign) and isinstance(assignment.value, ast.Call):
            function = assignment.value.func
            if isinstance(function, ast.Name) and function.id == "parameter":
                yield assignment.target.id


def test_the_parameters_of_every_node_are_documented():
    """Also of those that are no bridges: agents, the autopilot, missions."""
    documents = "".join(p.read_text(encoding="utf-8") for p in ROOT.glob("docs/*.md"))
    tables = set(code("\n".join(re.findall(r"^\| (`[^|]+) \|", documents, re.MULTILINE))))
    modules = [path for path in ROOT.glob("src/*/*/*.py") if path.parent.name != "test"]
    names = {name for path in modules for name in declared_in(path)}
    assert len(names) > 100
    assert names <= tables


def launch_module(path):
    """Return the launch file as a module."""
    spec = importlib.util.spec_from_file_location(path.name.replace(".", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def declared_arguments(path):
    """Return the launch arguments of a launch file with their descriptions."""
    entities = launch_module(path).generate_launch_description().entities
    return {e.name: e.description for e in entities if isinstance(e, DeclareLaunchArgument)}


def test_launch_arguments_are_the_common_ones_and_the_documented_ones(documented):
    declared = declared_arguments(documented.launch_file)
    assert set(declared) >= (VIEW_ARGUMENTS if documented.name == "view" else COMMON_ARGUMENTS)
    described = {name for row in documented.table("Launch arguments") for name in code(row[0])}
    assert described == set(declared)


LAUNCH_FILES = pytest.mark.parametrize(
    "path", sorted(ROOT.glob("launch/*.launch.py")), ids=lambda p: p.name
)


@LAUNCH_FILES
def test_the_arguments_of_every_launch_file_have_an_effect(path):
    launch = launch_module(path).LAUNCH
    everything_on = {a.name: "true" for a in launch.arguments if a.kind is bool}
    if any(argument.name == "view" for argument in launch.arguments):
        everything_on["view"] = "web"
    settings = Settings(launch, everything_on)
    assert settings.parts()
    assert settings.asked == {argument.name for argument in launch.arguments}


@LAUNCH_FILES
def test_the_arguments_of_every_launch_file_are_described_and_documented(path):
    declared = declared_arguments(path)
    assert all(declared.values())
    documented = set()
    for document in [*ROOT.glob("docs/*.md"), ROOT / "README.md"]:
        text = document.read_text(encoding="utf-8")
        if path.name in text:
            for table in re.findall(r"^#+ Launch arguments\n(.*?)(?=^#|\Z)", text, re.M | re.S):
                for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE):
                    documented |= set(code(row))
    if "NAME_ARGUMENT" in documented:
        # Those of the systems' own launch files, which have the system's name before theirs.
        others = [other for other in ROOT.glob("launch/*.launch.py") if other != path]
        for other in others:
            name = other.name.removesuffix(".launch.py")
            documented |= {f"{name}_{argument}" for argument in declared_arguments(other)}
    assert set(declared) <= documented


@LAUNCH_FILES
def test_every_launch_file_sets_the_profile_of_fast_dds(path, monkeypatch):
    for name in fast_dds.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    entities = launch_module(path).generate_launch_description().entities
    # Big images get lost without it.
    set_variables = [e for e in entities if isinstance(e, SetEnvironmentVariable)]
    assert len(set_variables) == len(fast_dds.VARIABLES)


@pytest.mark.parametrize("path", sorted(ROOT.glob("config/*.yaml")), ids=lambda p: p.name)
def test_every_line_of_a_configuration_has_a_comment(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("#")
    for line in lines:
        if re.match(r" {4}\w+:", line):
            assert "#" in line, f"{line!r} has no comment"


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


@pytest.mark.parametrize("path", [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"], ids=str)
def test_links_to_files_lead_somewhere(path):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target:
            assert (path.parent / target).exists(), target


SECTIONS = [
    "The original",
    "Start it",
    "Connect the original",
    "Interface",
    "Parameters",
    "Launch arguments",
    "The simulator",
    "Faults",
]


def section(document, title):
    """Return what stands below a heading, up to the next of its level."""
    match = re.search(rf"^(#+) {re.escape(title)}\n(.*)", document, re.MULTILINE | re.DOTALL)
    assert match, f"there is no section {title}"
    return re.split(rf"^#{{1,{len(match[1])}}} ", match[2], flags=re.MULTILINE)[0]


def test_the_pages_of_all_systems_have_the_same_sections_in_the_same_order(system):
    headings = re.findall(r"^#+ (.+)$", system.document, re.MULTILINE)
    assert [h for h in headings if h in SECTIONS] == SECTIONS
    assert {"Figures", "Limits"} <= set(headings)


def test_the_limits_say_what_is_reconstruction_and_what_a_stand_in(system):
    limits = section(system.document, "Limits")
    assert "Reconstruction:" in limits
    assert "Stand-in:" in limits


SIMULATORS_FAULTS = {
    "nao": "nao_goal_bridge.simulator:NAO_FAULTS",
    "roboskate": "roboskate_bridge.simulation.game_service:ROBOSKATE_FAULTS",
    "luar": "luar_bridge.simulator:FAULTS",
    "aibo": "legacy_robots_common.simulator:FAULTS",
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
