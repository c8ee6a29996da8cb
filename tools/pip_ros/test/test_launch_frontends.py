# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files in XML and YAML, and what they cannot have."""

import pytest

FILES = {
    "xml": """
<launch>
  <arg name="who" default="world" description="who is greeted">
    <choice value="world"/>
    <choice value="moon"/>
  </arg>
  <let name="word" value="hello"/>
  <group>
    <let name="word" value="good bye"/>
    <log message="$(var word) $(var who)" unless="false"/>
  </group>
  <log message="not this" if="false"/>
  <executable cmd="sh -c 'echo $$WORD $(var who)'" output="screen">
    <env name="WORD" value="$(var word)"/>
  </executable>
  <include file="$(dirname)/other.launch.yaml">
    <arg name="what" value="$(var word) again"/>
  </include>
</launch>
""",
    "yaml": """
launch:
- arg:
    name: who
    default: world
    description: who is greeted
    choice: [{value: world}, {value: moon}]
- let: {name: word, value: hello}
- group:
  - let: {name: word, value: good bye}
  - log: {message: $(var word) $(var who), unless: false}
- log: {message: not this, if: false}
- executable:
    cmd: sh -c 'echo $$WORD $(var who)'
    output: screen
    env: [{name: WORD, value: $(var word)}]
- include:
    file: $(dirname)/other.launch.yaml
    arg: [{name: what, value: $(var word) again}]
""",
}
OTHER = """
launch:
- arg: {name: what}
- timer:
    period: 0.01
    children:
    - log: {message: "other: $(var what)"}
"""


@pytest.fixture
def write(tmp_path):
    """Write a launch file and one that it may include; return its path."""

    def write_(form, text):
        (tmp_path / "other.launch.yaml").write_text(OTHER.lstrip())
        path = tmp_path / f"some.launch.{form}"
        path.write_text(text.lstrip().replace("$$", "$"))
        return path

    return write_


@pytest.mark.parametrize("form", FILES)
def test_a_file_is_launched(write, ros2, form):
    program = ros2("launch", write(form, FILES[form]), "who:=moon")
    assert program.code == 0
    for line in ("good bye moon", "hello moon", "other: hello again"):
        assert line in program.output
    assert "not this" not in program.output


@pytest.mark.parametrize("form", FILES)
def test_its_arguments_are_shown_and_checked(write, ros2, form):
    path = write(form, FILES[form])
    assert "who is greeted" in ros2("launch", path, "-s").output
    wrong = ros2("launch", path, "who:=sun")
    assert wrong.code == 1
    assert 'value "sun" is not valid' in wrong.output


@pytest.mark.parametrize(
    "form, text, sentence",
    [
        ("xml", "<launch><composable/></launch>", "<composable> is not part of the subset"),
        ("xml", '<launch><log message="a" level="info"/></launch>', "'level' in <log> is not"),
        ("xml", '<launch><log message="$(eval 1)"/></launch>', "$(eval ...) is not part"),
        ("xml", "<launch><let name='a'/></launch>", "<let> needs the attribute 'value'"),
        ("xml", "<launch><log", "it is no XML"),
        ("xml", "<robot/>", "its first element is 'robot', not 'launch'"),
        ("xml", '<launch><log message="a" if="1" unless="1"/></launch>', "both 'if' and 'unless'"),
        ("yaml", "launch: [", "it is no YAML"),
        ("yaml", "launch: [{log: {message: a}, arg: {name: b}}]", "each with one key"),
        ("yaml", "launch: [{log: hello}]", "'log' must have attributes"),
        ("yaml", "launch: [{lifecycle_node: {}}]", "<lifecycle_node> is not part of the subset"),
    ],
)
def test_what_is_not_known_is_named(write, ros2, form, text, sentence):
    program = ros2("launch", write(form, text))
    assert program.code == 1
    assert sentence in program.output
    assert "Traceback" not in program.output
