# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a user's shell has set for other purposes does not keep the commands from working."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]


@pytest.fixture
def shell(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from workspace import shell

    return shell


@pytest.fixture
def refusal(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from workspace import SetupError

    return SetupError


def test_settings_of_other_pythons_are_left_out(shell):
    env = {"PYTHONWARNINGS": "error", "PIP_USER": "1", "CONDA_PREFIX": "/conda", "TZ": "UTC"}
    shell.leave_other_pythons(env)
    assert env == {"TZ": "UTC"}


def test_another_middleware_is_replaced_and_named(shell, capsys):
    env = {"RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp"}
    shell.use_fast_dds(env)
    assert env == {}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("RMW_IMPLEMENTATION=rmw_cyclonedds_cpp is not on PyPI: using rmw_fast")


def test_fast_dds_by_name_needs_no_word(shell, capsys):
    shell.use_fast_dds({"RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"})
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["300", "233", "-1", "x", "²"])
def test_an_impossible_domain_is_refused_by_name(shell, refusal, text):
    with pytest.raises(refusal, match="ROS_DOMAIN_ID must be from 0 to 232, not"):
        shell.check_domain({"ROS_DOMAIN_ID": text})


@pytest.mark.parametrize("text", ["", "0", "232"])
def test_a_possible_domain_is_taken(shell, text):
    shell.check_domain({"ROS_DOMAIN_ID": text})


def test_half_of_an_installation_is_refused(shell, refusal):
    with pytest.raises(refusal, match="AMENT_PREFIX_PATH is /opt/ros/humble, but there is no"):
        shell.check_no_other_ros({"AMENT_PREFIX_PATH": "/opt/ros/humble"})


def test_logs_go_elsewhere_where_there_is_no_home(shell, tmp_path):
    for env in ({}, {"HOME": str(tmp_path / "missing")}):
        shell.have_place_for_logs(env)
        assert Path(env["ROS_LOG_DIR"]).parent.is_dir()
    for env in ({"HOME": str(tmp_path)}, {"ROS_HOME": "/ros"}):
        before = dict(env)
        shell.have_place_for_logs(env)
        assert env == before
