# SPDX-License-Identifier: Apache-2.0
"""Where a clone may be: what the set-up changes so that any path works."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pip_ros.virtual_environment import read_paths_as_utf8

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
