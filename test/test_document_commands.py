# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every command in the documents can be typed: programs, arguments, names, fields exist."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest
import yaml
from launch.actions import DeclareLaunchArgument

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted(p for part in ("", "how_to/", "tutorials/") for p in ROOT.glob(f"docs/{part}*.md")),
]
BENCHMARKS = ROOT / "tools" / "measure" / "bench" / "systems"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLACEHOLDER = re.compile(r"[A-Z_]{3,}\.*")
EXTERNAL_TYPES = ("control_msgs", "geometry_msgs", "std_srvs")
# Of the examples, and what is there only where a parameter asks for it (docs/luar_match.md).
OF_EXAMPLES = {
    "/aibo/step_simulation",
    "/luar/ball_in_map",
    "/luar/referee",
    "/simulation/step_simulation",
}
"""Of no system's own interface."""


def commands():
    """Every command of this repository's tools in the documents, with where it stands."""
    for path in DOCUMENTS:
        for _, text in BLOCK.findall(path.read_text(encoding="utf-8")):
            for line in text.replace("\\\n", " ").splitlines():
                # Packages that a page has its reader write are there in that page's own tests.
                if line.startswith("tools/") and not re.search("gripper|my_client", line):
                    command = re.sub(r"\s+(#.*|&)$", "", line)
                    yield pytest.param(shlex.split(command), id=f"{path.name}: {command[:90]}")


COMMANDS = list(commands())


def entry_points(package):
    text = (ROOT / "src" / package / "setup.py").read_text(encoding="utf-8")
    start = r"(?:legacy_robots_core\.executable:(?:mission\.)?)?"
    return dict(re.findall(rf'"(\w+) = {start}([\w.]+)[:.]\w+"', text))


def launch_arguments(path):
    spec = importlib.util.spec_from_file_location(path.name.replace(".", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    entities = module.generate_launch_description().entities
    return {e.name for e in entities if isinstance(e, DeclareLaunchArgument)}


def interface(type_name):
    package, kind, name = type_name.split("/")
    return getattr(importlib.import_module(f"{package}.{kind}"), name)


def assert_fits(values, kind):
    """All fields of a YAML mapping are fields of a message, a request or a goal."""
    message = kind()
    for field, value in (values or {}).items():
        assert field in message.get_fields_and_field_types(), f"{kind.__name__} has no {field}"
        if isinstance(value, dict):
            assert_fits(value, type(getattr(message, field)))


OF_A_MATCH = re.compile(r"^/luar_match/\w+/\w+/")
"""What stands before the names of one robot in luar_match.launch.py."""


def system_of(name, system_named):
    return system_named(name.strip("/").split("/")[0])


def tables_of(system):
    """Return the page of a system, and that of its commands where they have one."""
    commands = ROOT / "docs" / f"{system.name}_commands.md"
    return system.document + (commands.read_text(encoding="utf-8") if commands.exists() else "")


def assert_documented(name, kind, system_named):
    """A name is in its system's table of the interface, with this type where one is given."""
    name = re.sub(r"^(/[a-z]+)_2/", r"\1/", OF_A_MATCH.sub("/luar/", name))
    if name in OF_EXAMPLES:
        return
    system = system_of(name, system_named)
    relative = system.generic(name.removeprefix(f"/{system.name}/"))
    # What is there by a parameter only has a table of its own.
    rows = re.findall(
        r"^\| (`.+?`) \| [\w ]+ \| `(\w+/\w+/\w+)` \|", tables_of(system), re.MULTILINE
    )
    table = {name: row[1] for row in rows for name in re.findall("`([^`]+)`", row[0])}
    assert relative in table, f"{name} is not documented"
    if kind is not None:
        assert table[relative] == kind


def check_launch(package, *arguments):
    if package.startswith("./team.launch."):  # shown on the page
        text = (ROOT / "docs" / "how_to" / "include_launch.md").read_text(encoding="utf-8")
        declared = set(re.findall(r'<arg name="(\w+)" default=', text))
        assert {a.split(":=")[0] for a in arguments} <= declared
        return
    file, *arguments = arguments
    assert package == "legacy_robots_bringup"
    declared = launch_arguments(ROOT / "launch" / file)
    given = {a.split(":=")[0] for a in arguments if not a.startswith("-")}
    assert given <= declared


def check_run(package, program, *arguments):
    if program == package:  # setup.py names it so
        return
    points = entry_points(package)
    assert program in points, f"{package} has no program {program}"
    module = ROOT / "src" / package / f"{points[program].replace('.', '/')}.py"
    beside = module.with_name("parameters.py")
    text = "".join(p.read_text(encoding="utf-8") for p in (module, beside) if p.exists())
    parameters = re.findall(r"-p (\w+):=", " ".join(arguments))
    for name in parameters:
        declared = rf'declare_parameter\("{name}"|^    {name}: .* = parameter\('
        known = re.search(declared, text, re.MULTILINE) or name in ("player", "team")
        assert known, f"{program} has no parameter {name}"


def check_ros2(arguments, system_named):
    verb, rest = arguments[0], arguments[1:]
    positional = [a for a in rest if not a.startswith("-")]
    if verb == "build":
        assert rest[0] == "--base-paths"
    elif verb == "launch":
        check_launch(*rest)
    elif verb == "run":
        check_run(*rest)
    elif (verb, rest[0]) == ("action", "send_goal"):
        _, name, kind, *goal = positional
        assert_documented(name, kind, system_named)
        assert_fits(yaml.safe_load(goal[0]) if goal else {}, interface(kind).Goal)
    elif (verb, rest[0]) == ("service", "call"):
        _, name, kind, *request = positional
        assert_documented(name, kind, system_named)
        assert_fits(yaml.safe_load(request[0]) if request else {}, interface(kind).Request)
    elif (verb, rest[0]) == ("topic", "pub"):
        _, *numbers, name, kind, values = positional
        assert all(re.fullmatch(r"[\d.]+", n) for n in numbers)
        assert_documented(name, kind, system_named)
        assert_fits(yaml.safe_load(values), interface(kind))
    elif verb == "discovery_server" or rest[0] == "list":
        pass
    elif verb == "topic" and rest[0] in ("echo", "hz"):
        assert_documented(positional[1], None, system_named)
    elif (verb, rest[0]) == ("param", "set"):
        system = system_of(positional[1], system_named)
        assert positional[2] in {row[0].strip("`") for row in system.table("Parameters")}
    else:
        pytest.fail(f"no rule for {verb} {rest[0]}")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_documents_can_be_typed(command, system_named):
    program, *arguments = command
    if any(PLACEHOLDER.fullmatch(argument) for argument in arguments):
        arguments = [a for a in arguments if not PLACEHOLDER.fullmatch(a)]
    assert (ROOT / program).is_file(), program
    if program == "tools/ros2":
        check_ros2(arguments, system_named)
    elif program == "tools/bench" and arguments:
        assert (BENCHMARKS / f"{arguments[0]}.py").is_file()


def test_there_are_commands():
    assert len(COMMANDS) > 40


def test_every_example_has_a_command_in_a_document():
    points = entry_points("legacy_robots_examples")
    typed = [p.values[0] for p in COMMANDS]
    run = {c[3] for c in typed if c[1:3] == ["run", "legacy_robots_examples"]}
    assert run == set(points)
