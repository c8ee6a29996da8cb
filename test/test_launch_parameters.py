# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters files and launch arguments: every value arrives, and a given argument overrules."""

import dataclasses
import shutil
from pathlib import Path

import pytest
import yaml
from launch.launch_description_sources import get_launch_description_from_python_launch_file

from bw4t_world.scenarios import BotSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario
from legacy_robots_common.node.parameters import default_of
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
CALIBRATION = """
image_width: 640
image_height: 360
distortion_model: plumb_bob
distortion_coefficients: {data: [0, 0, 0, 0, 0]}
camera_matrix: {data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
rectification_matrix: {data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
projection_matrix: {data: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]}
"""

# Refused without `joints`, which is changed too; test_luar_system.py sets it. An original server's
# games are not recorded, and `world` is changed; bw4t_bridge/test/server_node records. The last
# two must name a file and an address; bw4t_bridge/test/server_node has an experiment.
# `state_machines` names files of an original; luar_bridge/test/node has some.
NOT_TOGETHER = {
    "luar": ("joint_commands", "state_machines"),
    "bw4t": ("record", "experiment", "web_origin"),
}


def changed(field):
    """Return a value of a parameter that is not its default."""
    default, meta = default_of(field), field.metadata
    if isinstance(default, bool):
        return not default
    if meta["choices"]:
        return next(choice for choice in meta["choices"] if choice != default)
    if isinstance(default, str):
        return f"{default}_changed"
    if isinstance(default, list):
        return [*default[1:], default[0]] if len(set(default)) > 1 else ["changed"]
    step = 1 if isinstance(default, int) else default / 4 + 0.125
    larger, smaller = default + step, default - step
    if meta["maximum"] is None or larger <= meta["maximum"]:
        return larger
    return (
        meta["maximum"] if meta["minimum"] is not None and smaller < meta["minimum"] else smaller
    )


def special(system, tmp_path):
    """Return the changed values that have to name something."""
    address = {"host": "127.0.0.2", "port": free_port()}
    if system == "nao":
        maze = shutil.copy(SOURCES / "nao_goal_bridge/nao_goal_bridge/maps/maze.yaml", tmp_path)
        return {**address, "code_width": 4, "room_map": str(maze)}
    if system == "roboskate":
        urdf = SOURCES / "legacy_robots_description/legacy_robots_description/urdf/roboskate.urdf"
        (tmp_path / "camera.yaml").write_text(CALIBRATION, encoding="utf-8")
        return {
            **address,
            "urdf": str(shutil.copy(urdf, tmp_path)),
            "camera_info_url": f"file://{tmp_path}/camera.yaml",
        }
    if system == "luar":
        return {
            "tables": ["upenn_2013"],
            "writable": ["vcmCamera.command", "rcmBody.*"],
            "creatable": ["tcmSegment1.*"],
            "game_controller": f"127.0.0.1:{free_port()}",
            "game_controller_senders": ["10.0.0.0/16"],
            "team_messages": f"127.0.0.1:{free_port()}",
            "team_messages_to": "127.0.0.1",
            "memory_directory": str(tmp_path),
            "motion_directory": str(SOURCES / "luar_tools/luar_tools/motions"),
        }
    if system == "aibo":
        motions = SOURCES / "aibo_gti_bridge/aibo_gti_bridge/motions"
        copies = shutil.copytree(motions, tmp_path / "motions")
        return {**address, "wire_overlays": "acknowledged", "motion_directory": str(copies)}
    if system == "bw4t":
        file = tmp_path / "scenario.xml"
        write_scenario(Scenario(bots=(BotSpec(name="Robo"),)), file)
        ports = {name: free_port() for name in ("web_port", "rmi_port", "eis_port")}
        server = f"127.0.0.1:{free_port()}"
        return {"map": "large", "scenario": str(file), "server": server, **ports}
    return {**address, "balls": ["orange"]}


@pytest.fixture
def values(documented, tmp_path):
    """A changed value for every parameter of the system's node."""
    fields = dataclasses.fields(documented.parameters_class())
    left_out = NOT_TOGETHER.get(documented.name, ())
    fields = [field for field in fields if field.name not in left_out]
    values = {field.name: changed(field) for field in fields}
    values.update(special(documented.name, tmp_path))
    for field in fields:
        assert values[field.name] != default_of(field), field.name
    return values


@pytest.fixture
def run(documented, values, ros2, machine_wide, tmp_path):
    """Launch the system with these values in its parameters file; return its node's parameters."""
    declared = documented.declared
    node = f"/{declared.name}/{declared.bridge}" if declared else "/view"
    exclusive = declared.exclusive if declared else ""

    def run_(*arguments):
        # Half of them in an entry of every node of that name, half in that of this very node.
        names = sorted(values)
        entries = {
            "/**": {names[0]: "of another node"},
            f"/**/{node.rsplit('/', 1)[1]}": {n: values[n] for n in names[::2]},
            node: {n: values[n] for n in names[1::2]},
        }
        file = tmp_path / "parameters.yaml"
        text = yaml.safe_dump(
            {key: {"ros__parameters": value} for key, value in entries.items()}, sort_keys=False
        )
        file.write_text(text, encoding="utf-8")
        command = ros2(
            *("launch", "legacy_robots_bringup", documented.launch_file.name),
            *(f"params_file:={file}", *arguments),
        )
        with machine_wide(exclusive), Process(command) as launch, RosPeer() as peer:
            found = peer.parameters(node, *names)
            if documented.name in ("nao", "aibo", "roboskate"):
                launch.wait_for_line("link connected")  # the simulator was told the same
        plain = [list(v) if hasattr(v, "tolist") else v for v in found]
        return dict(zip(names, plain, strict=True))

    return run_


def test_every_value_of_a_parameters_file_arrives(run, values):
    assert run() == values


def arguments_of(documented):
    """Return the launch arguments that overrule a parameter of their name where they are given."""
    path = str(documented.launch_file)
    declared = get_launch_description_from_python_launch_file(path).get_launch_arguments()
    parameters = {field.name for field in dataclasses.fields(documented.parameters_class())}
    # An empty argument is not given; switches of another meaning have a default.
    overruling = {a.name for a in declared if a.default_value[0].describe() == "''"}
    return sorted(overruling & parameters)


OTHER_NAMES = {
    # argument: its text, the parameter, its value
    "luar": {"players": ("3", "player", 3), "profile": ("nao", "joints", True),
             "layout": ("example_tcm,upenn_2013", "tables", ["example_tcm", "upenn_2013"])},
}  # fmt: skip


def test_given_arguments_overrule_it(documented, run, values):
    defaults = {
        field.name: default_of(field)
        for field in dataclasses.fields(documented.parameters_class())
    }
    given = {name: defaults[name] for name in arguments_of(documented) if name in values}
    assert given
    expected = {**values, **given}
    if "port" in given or documented.name == "roboskate":
        given["port"] = expected["port"] = free_port()
    if documented.name == "roboskate":
        given["http_port"] = free_port()
    for name in ("web_port", "rmi_port", "eis_port"):
        if name in given:
            given[name] = expected[name] = free_port()
    # An empty argument is not given; this is the empty text.
    words = [f"{name}:={value}" if value != "" else f'{name}:=""' for name, value in given.items()]
    for name, (text, parameter, value) in OTHER_NAMES.get(documented.name, {}).items():
        words.append(f"{name}:={text}")
        expected[parameter] = value
    assert run(*words) == expected
