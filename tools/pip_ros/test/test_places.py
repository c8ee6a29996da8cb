# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a clone may be: what the set-up changes so that any path works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pip_ros.virtual_environment import read_paths_as_utf8

pytestmark = pytest.mark.node

SHARE = Path(sys.prefix, "share")
LIST = Path("rosidl_adapter", "cmake", "rosidl_adapt_interfaces.cmake")


@pytest.mark.skipif(not (SHARE / LIST).exists(), reason="needs ROS 2 from PyPI: tools/ros2")
def test_cmake_does_not_split_a_path_with_umlauts(tmp_path):
    (tmp_path / LIST).parent.mkdir(parents=True)
    shutil.copy(SHARE / LIST, tmp_path / LIST)
    read_paths_as_utf8(tmp_path)
    (reading,) = [
        line.strip()
        for line in (tmp_path / LIST).read_text().splitlines()
        if "file(STRINGS" in line
    ]
    (tmp_path / "interfaces").write_text("/größe/build:msg/Force.idl\n", encoding="utf-8")
    script = tmp_path / "read.cmake"
    script.write_text(
        f'set(idl_output "{tmp_path / "interfaces"}")\n{reading}\nmessage("${{idl_tuples}}")\n'
    )
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    assert done.stderr == "/größe/build:msg/Force.idl\n"


def test_a_log_file_on_a_full_disk_is_one_sentence(tmp_path):
    code = (
        "from launch import logging; folder = logging.configure();"
        "(folder / 'launch.log').symlink_to('/dev/full');"
        "log = logging.get_logger('x'); log.info('one'); log.info('two')"
    )
    python = Path(__file__).parents[1] / "python"
    env = {**os.environ, "PYTHONPATH": str(python), "ROS_LOG_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout == "[INFO] [x]: one\n[INFO] [x]: two\n"
    assert done.stderr.count("\n") == 1
    assert "launch.log cannot be written: [Errno 28] No space left on device" in done.stderr
