# SPDX-License-Identifier: Apache-2.0
"""What the documents say is what the code does, and nothing is left out."""

import ast
import dataclasses
import re
from pathlib import Path

import pytest
import yaml

from legacy_robots_common.testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]
COMMON_ARGUMENTS = {"namespace", "simulate", "params_file", "rviz", "log_level", "respawn"}
# What every node has and nobody has to document.
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


def test_every_parameter_is_documented_with_its_default(system):
    documented = {code(row[0])[0]: row[1] for row in system.table("Parameters")}
    expected = {n: as_written(v) for n, v in defaults(system.parameters_class()).items()}
    assert documented == expected


def test_every_parameter_is_in_the_configuration_with_its_default_and_a_comment(system):
    text = (ROOT / "config" / f"{system.name}.yaml").read_text(encoding="utf-8")
    (settings,) = yaml.safe_load(text).values()
    assert settings["ros__parameters"] == defaults(system.parameters_class())
    for line in text.splitlines():
        if re.match(r" {4}\w+:", line):
            assert "#" in line, f"{line!r} has no comment"


def launch_arguments(path):
    """Return the launch arguments with their keywords, and the names that are used."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    declared, used = {}, set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            if call.func.id == "DeclareLaunchArgument":
                declared[call.args[0].value] = {k.arg for k in call.keywords}
            elif call.func.id == "LaunchConfiguration":
                used.add(call.args[0].value)
    return declared, used


def test_launch_arguments_are_described_used_and_documented(system):
    declared, used = launch_arguments(system.launch_file)
    assert set(declared) >= COMMON_ARGUMENTS
    assert used == set(declared)
    assert all("description" in keywords for keywords in declared.values())
    documented = {name for row in system.table("Launch arguments") for name in code(row[0])}
    assert documented == set(declared)


def test_every_topic_service_and_action_is_documented_with_its_type(system, launched):
    namespace = f"/{system.name}"
    documented = {code(row[0])[0]: code(row[2])[0] for row in system.table("Interface")}
    # What the bridge subscribes to is a "subscription" there; it has no publisher to wait for.
    topics = [code(row[0])[0] for row in system.table("Interface") if "topic" in row[1]]
    with RosPeer(namespace=system.name) as peer:
        peer.wait_for_node(namespace, count=system.nodes)
        # A node's endpoints are discovered one by one, the action servers' and services' too.
        peer.wait_for_publishers(*map(system.concrete, topics))
        for name, kind in documented.items():
            if "/action/" in kind:
                name = system.concrete(name)
                peer.wait_for_publishers(f"{name}/_action/feedback", f"{name}/_action/status")
        node = peer.node
        interface = {}
        names = [
            (n, ns)
            for n, ns in node.get_node_names_and_namespaces()
            if ns == namespace and n != node.get_name()
        ]
        assert names
        for name, ns in names:
            for topic, types in node.get_publisher_names_and_types_by_node(name, ns):
                interface[topic] = types
            for topic, types in node.get_subscriber_names_and_types_by_node(name, ns):
                interface[topic] = types
            for service, types in node.get_service_names_and_types_by_node(name, ns):
                if service.rsplit("/", 1)[1] not in STANDARD_SERVICES:
                    interface[service] = types
    for name in list(interface):
        if "/_action/" in name:
            types = interface.pop(name)
            action = name.split("/_action/")[0]
            if name.endswith("/_action/feedback"):
                interface[action] = [types[0].replace("_FeedbackMessage", "")]
    found = {
        system.generic(n.removeprefix(namespace + "/")): t[0]
        for n, t in interface.items()
        if n not in STANDARD_TOPICS or n in documented
    }
    assert documented == found


@pytest.mark.parametrize("path", [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"], ids=str)
def test_links_to_files_lead_somewhere(path):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_every_event_of_the_nao_document_has_a_home(shared):
    specification = (shared / "specs" / "nao_goal_api.txt").read_text(encoding="utf-8")
    events = dict(re.findall(r"^(\w+)\t(0x[0-9A-F]+)\t", specification, re.MULTILINE))
    assert len(events) == 14
    document = (ROOT / "docs" / "nao.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w+) \| (0x[0-9A-F]{2}) \|", document, re.MULTILINE))
    assert rows.keys() == events.keys()
    for name, byte in events.items():
        expected = 0x80 if name == "Error" else int(byte, 16)  # 0x8 is a misprint, see docs
        assert int(rows[name], 16) == expected


def test_every_variable_of_the_luar_document_has_a_home(shared):
    specification = (shared / "specs" / "luar.txt").read_text(encoding="utf-8")
    section = specification.split("Shared Memory Segment Documentation")[1]
    section = section.split("Webots Supervisor")[0]
    lists = re.findall(r"^ *(\w+(?:, \w+)+) *$", section, re.MULTILINE)
    assert len(lists) == 14
    document = (ROOT / "docs" / "luar.md").read_text(encoding="utf-8")
    homes = {}
    for segment, variables in re.findall(r"^\| (\w+) \| ([\w, ]+) \|", document, re.MULTILINE):
        homes.setdefault(segment, []).extend(variables.split(", "))
    assert all(len(set(names)) == len(names) for names in homes.values())
    for variables in lists:
        wanted = set(variables.split(", "))
        assert any(wanted == set(names) for names in homes.values()), variables


def test_every_command_of_the_aibo_document_has_a_home(shared):
    """The document's table has lost its first column: bodies and replies are what is left."""
    path = shared / "specs" / "aibo_golog_tekkotsu_interface.txt"
    table = path.read_text(encoding="utf-8").split("Data Structure representing")[1]
    cells = [line.strip() for line in table.split("The server")[0].splitlines() if line.strip()]
    assert cells.pop(0) == "Command Body"
    assert "Reply" in cells.pop(0)
    bodies = [c for c in cells if c not in ("double array", "struct Ball")]
    replies = [c for c in cells if c in ("double array", "struct Ball")]
    assert len(bodies) == 7
    document = (ROOT / "docs" / "aibo.md").read_text(encoding="utf-8")
    part = document.split("\n## Commands\n")[1].split("\n## ")[0]
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in part.splitlines()
            if re.match(r"\| \d \|", line)]  # fmt: skip
    for body, row in zip(bodies, rows, strict=True):
        assert row[2].split(" (")[0] == body.split(" (")[0]
        assert code(row[4]), row
    assert [row[3] for row in rows if row[3] in replies] == replies


def test_every_predicate_of_the_aibo_is_in_prolog_and_in_python():
    from aibo_gti_bridge.client import AiboClient

    package = ROOT / "src" / "aibo_gti_bridge" / "aibo_gti_bridge"
    prolog = (package / "prolog" / "aibopred.pl").read_text(encoding="utf-8")
    exported = set(re.findall(r"^ {12}(\w+/\d)|\[ (\w+/\d)", prolog, re.MULTILINE))
    names = {a or b for a, b in exported} - {"aiboConnect/2", "aiboDisconnect/0"}
    document = (ROOT / "docs" / "aibo.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| \d \| .*\| ([^|]*) \|$", document, re.MULTILINE)
    python, predicates = zip(*(code(cell) for cell in cells[:7]), strict=True)
    assert set(predicates) == names
    assert all(callable(getattr(AiboClient, name)) for name in python)


def bw4t_document(shared):
    return (shared / "specs" / "bw4t3_agent_environment_interface.txt").read_text("utf-8")


def test_every_percept_of_the_bw4t_document_has_a_home(system_named, shared):
    specification = bw4t_document(shared)
    percepts = set(re.findall(r"^Predicate: (\w+)", specification, re.MULTILINE))
    assert len(percepts) > 35
    rows = system_named("bw4t").table("Percepts and beliefs")
    documented = {name for row in rows for name in re.findall(r"\w+", row[0])}
    assert percepts <= documented


def test_every_action_of_the_bw4t_document_has_a_home(system_named, shared):
    specification = bw4t_document(shared)
    actions = set(re.findall(r"^Action: (\w+)", specification, re.MULTILINE))
    assert len(actions) == 8
    document = system_named("bw4t").document
    rows = re.findall(r"^\| ([^|`]+) \| (?:action|service)", document, re.MULTILINE)
    documented = {name.lower() for row in rows for name in re.findall(r"\w+", row)}
    assert {action.lower() for action in actions} <= documented
