# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files that are wrong, and what launch says about them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.node

NOT_PROVIDED = "is not part of the subset that tools/pip_ros provides"


@pytest.mark.parametrize(
    "actions,message",
    [
        ("launch.actions.OpaqueCoroutine(coroutine=None)", "launch.actions.OpaqueCoroutine"),
        ("launch.substitutions.Command('ls')", "launch.substitutions.Command"),
        ("launch_ros.actions.LifecycleNode()", "launch_ros.actions.LifecycleNode"),
        ("launch_ros.descriptions.ComposableNode()", "launch_ros.descriptions"),
        ("launch.frontend.Parser", "launch.frontend"),
        ("LogInfo(msg='', nonsense=1)", "keyword argument 'nonsense' of launch.actions.LogInfo"),
        (
            "Node(executable='x', cached_output=True)",
            "keyword argument 'cached_output' of launch_ros.actions.Node",
        ),
        ("OnProcessExit(on_exit=[], nonsense=1)", "of launch.event_handlers.OnProcessExit"),
        ("ExecuteProcess(cmd=['ls'], output='own_log')", "output 'own_log'"),
    ],
)
def test_unknown_constructs_are_named(launch_file, ros2, actions, message):
    path = launch_file(actions)
    path.write_text("import launch, launch_ros\n" + path.read_text())
    program = ros2("launch", path)
    assert program.code == 1
    assert NOT_PROVIDED in program.output
    assert message in program.output


def test_import_of_an_unknown_construct_is_named(tmp_path, ros2):
    path = tmp_path / "x.launch.py"
    path.write_text("from launch_ros.actions import ComposableNodeContainer\n")
    program = ros2("launch", path)
    assert program.code == 1
    assert f"launch_ros.actions.ComposableNodeContainer {NOT_PROVIDED}" in program.output


@pytest.mark.parametrize(
    "actions,message",
    [
        ("LogInfo(msg=LaunchConfiguration('nope'))", "launch configuration 'nope' does not exist"),
        ("LogInfo(msg=EnvironmentVariable('NO'))", "environment variable 'NO' does not exist"),
        ("LogInfo(msg=FindExecutable(name='no-such'))", "not found on the PATH"),
        ("LogInfo(msg=FindPackageShare('no_pkg'))", "package 'no_pkg' not found"),
        ("LogInfo(msg='', condition=IfCondition('maybe'))", "expected one of [true, 1, false, 0]"),
        ("LogInfo(msg='', condition='true')", "must be a launch condition"),
        ("LogInfo(msg=NotSubstitution('x'))", "Cannot convert value 'x' to '<class 'bool'>'"),
        ("LogInfo(msg=PathJoinSubstitution([['a', 'b']]))", "Failed to normalize given item"),
        ("LogInfo(msg=PythonExpression('nope'))", "name 'nope' is not defined"),
        ("LogInfo(msg=1)", "'int' object is not iterable"),
        ("DeclareLaunchArgument('a', default_value='c', choices=['a'])", 'value "c" is not valid'),
        ("DeclareLaunchArgument('need', description='it')", "missing required argument 'need'"),
        ("Node(package='probe_pkg', executable='no')", "executable 'no' not found on the libexec"),
        ("Node(executable='ls', parameters={'a': 1})", "Expecting list of parameters"),
        ("Node(executable='ls', parameters=['/no.yaml'])", "'/no.yaml' does not exist"),
        ("Node(executable='ls', parameters=[{'a': [1, 'b']}])", "items of uniform type"),
        ("Node(executable='ls', parameters=[{'a': []}])", "items of uniform type"),
        ("Node(executable='ls', parameters=[{'a': None}])", "Unexpected type for parameter value"),
        ("Node(executable='ls', name='a.b')", "Invalid node name: 'a.b'"),
        ("Node(executable='ls', namespace='1')", "Invalid namespace: '/1'"),
        ("Node(executable='ls', namespace='nao__1')", "Invalid namespace: '/nao__1'"),
        ("Node(executable='ls', name='a__b')", "Invalid node name: 'a__b'"),
        ("Node(executable='ls', arguments='-l')", "must be a list of words"),
        ("ExecuteProcess(cmd='ls -l')", "must be a list of words"),
        ("OpaqueFunction(function=lambda context: 1 / 0)", "division by zero"),
        ("OpaqueFunction(function=lambda context: [1])", "expected launch actions"),
        ("1", "expected launch actions"),
        (
            "SetLaunchConfiguration('v', 'a: b'), Node(executable='ls', "
            "parameters=[{'p': LaunchConfiguration('v')}])",
            "Got <class 'dict'> for \"p\"",
        ),
        (
            "SetLaunchConfiguration('v', '1.5'), Node(executable='ls', "
            "parameters=[{'p': ParameterValue(LaunchConfiguration('v'), value_type=int)}])",
            "invalid literal for int()",
        ),
        (
            "IncludeLaunchDescription(PythonLaunchDescriptionSource('/no.launch.py'))",
            "launch file '/no.launch.py' does not exist",
        ),
    ],
)
def test_errors_name_what_is_wrong(launch_text, actions, message):
    program = launch_text(actions)
    assert program.code == 1, program.output
    assert message in program.output
    assert "Traceback" not in program.output + program.errors


def test_error_while_running_ends_everything(launch_text):
    program = launch_text(
        "ExecuteProcess(cmd=['sleep', '100'], name='other'), "
        "TimerAction(period=0.1, actions=[OpaqueFunction(function=lambda context: 1 / 0)])"
    )
    assert program.code == 1
    assert "Caught exception in launch" in program.output
    assert "[other-1]: process has died" in program.output


def test_program_that_cannot_be_started(launch_text):
    program = launch_text("ExecuteProcess(cmd=['/no/such', 'program'])")
    assert program.code == 0
    assert "[such-1]: exception occurred while executing process" in program.output
    assert "No such file or directory: '/no/such'" in program.output


@pytest.mark.parametrize(
    "text,message",
    [
        ("def f(:", "SyntaxError"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("x = 1", "does not contain the required function 'generate_launch_description()'"),
        ("def generate_launch_description(): return 1", "not a LaunchDescription"),
    ],
)
def test_broken_files(tmp_path, ros2, text, message):
    path = tmp_path / "broken.launch.py"
    path.write_text(text)
    program = ros2("launch", path)
    assert program.code == 1
    assert message in program.output
    shown = ros2("launch", path, "-s")
    assert shown.code == 1
    assert message in shown.errors


def test_malformed_argument(launch_text):
    program = launch_text("", "name=value")
    assert program.code == 1
    assert program.errors == (
        "malformed launch argument 'name=value', expected format '<name>:=<value>'"
    )


@pytest.mark.parametrize("name", ["name='probe'", ""])
def test_an_entry_of_a_parameters_file_that_matches_no_node_is_named(
    launch_file, ros2, tmp_path, name
):
    entries = ("/x/probe", "/*/probe", "/**/probe", "/**", "/y/probe", "probe", "/*/prob")
    file = tmp_path / "mine.yaml"
    file.write_text("".join(f"{each}: {{ros__parameters: {{a: 1}}}}\n" for each in entries))
    node = f"Node(executable='ls', namespace='x', parameters=['{file}'], {name})"
    program = ros2("launch", launch_file(node))
    wrong = ("/y/probe", "probe", *(["/*/prob"] if name else []))
    for entry in entries:
        text = f"the entry '{entry if entry[0] == '/' else '/' + entry}' matches no node"
        assert (text in program.output) == (entry in wrong)


@pytest.mark.parametrize("namespace", ["", "x"])
def test_an_entry_that_looks_like_a_mistyped_executable_is_named(
    launch_file, ros2, tmp_path, namespace
):
    file, entries = tmp_path / "mine.yaml", ("/**/expr", "/**/exrp", "/**/expr_node", "/**/other")
    file.write_text("".join(f"{each}: {{ros__parameters: {{a: 1}}}}\n" for each in entries))
    node = f"Node(executable='expr', namespace='{namespace}', parameters=['{file}'])"
    program = ros2("launch", launch_file(node))
    for entry in entries:
        told = f"the entry '{entry}' matches no node" in program.output
        assert told == (entry == "/**/exrp"), entry
