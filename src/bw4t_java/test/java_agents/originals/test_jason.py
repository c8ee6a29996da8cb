# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Jason agent plays a whole game over EIS: the program that python-agentspeak plays as well.

BW4T_JASON names a jar of Jason (tried with 2.3), BW4T_EIS_0_5 the jar of EIS: see
docs/originals/bw4t.md, 12.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from bw4t_java.jvm.eis_jar import make_jar
from legacy_robots_testing.process import Process

pytestmark = [pytest.mark.node, pytest.mark.timeout(240)]

HERE = Path(__file__).parent
MAS = 'MAS game {{ environment: BlocksWorld("{port}") agents: collector; }}'
LOGGING = """
handlers = java.util.logging.ConsoleHandler
java.util.logging.ConsoleHandler.formatter = jason.runtime.MASConsoleLogFormatter
"""


@pytest.mark.skipif(
    not {"BW4T_JASON", "BW4T_EIS_0_5"} <= os.environ.keys(),
    reason="BW4T_JASON and BW4T_EIS_0_5 name no jars of Jason and EIS",
)
def test_a_jason_agent_plays_a_whole_game(serve, tmp_path):
    served = serve()
    served.runner.set_speed(20.0).result(10)
    make_jar(Path(os.environ["BW4T_EIS_0_5"]), tmp_path / "environment.jar")
    jars = (os.environ["BW4T_JASON"], os.environ["BW4T_EIS_0_5"], tmp_path / "environment.jar")
    path = os.pathsep.join(map(str, (*jars, tmp_path)))
    subprocess.run(
        ["javac", "-nowarn", "-cp", path, "-d", tmp_path, HERE / "BlocksWorld.java"], check=True
    )
    (tmp_path / "game.mas2j").write_text(MAS.format(port=served.server.port))
    (tmp_path / "logging.properties").write_text(LOGGING)
    program = (HERE.parent / "collector.asl").read_text()
    program = re.sub(r"\.(go|go_to_block|pick_up|put_down)\b", r"\1", program)
    (tmp_path / "collector.asl").write_text("!collect.\n" + program)
    main = "jason.infra.centralised.RunCentralisedMAS"
    options = ("-Djava.awt.headless=true", "-cp", path, main)
    java = ["env", "--chdir", tmp_path, "java", *options, "game.mas2j"]
    with Process(java) as jason:
        jason.wait_for_line("all delivered", 200)
    measures = served.runner.call(lambda world: world.measures())
    assert measures.completion_seconds is not None
    assert (measures.good_drops, measures.wrong_drops) == (6, 0)
