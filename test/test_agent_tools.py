# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client of the Model Context Protocol drives robots of the launch files by agent_tools."""

import asyncio
import json
import os
import sys

import pytest
from action_msgs.msg import GoalStatus, GoalStatusArray

from legacy_robots_testing.machine import free_port, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

mcp = pytest.importorskip("mcp", reason="needs the MCP SDK: pip install mcp")
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

pytestmark = [pytest.mark.system, pytest.mark.timeout(240)]

EXECUTING = GoalStatus.STATUS_EXECUTING
ALLOWED = "allowed:=[/nao/go_to, /nao/location, /nao/halt, /aibo/cmd_vel, /aibo/odom]"


def talk(conversation, log):
    """Have a conversation with the tools as a language model's client has it."""
    words = ["-m", "legacy_robots_examples.agent_tools", "--ros-args", "-p", ALLOWED]
    server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def whole():
        with log.open("w") as stream:
            async with (
                stdio_client(server, errlog=stream) as streams,
                mcp.ClientSession(*streams) as session,
            ):
                await session.initialize()

                async def use(tool, **arguments):
                    answer = await session.call_tool(tool, arguments)
                    (content,) = answer.content
                    return content.text

                await conversation(session, use)

    asyncio.run(whole())
    return log.read_text()


@pytest.fixture(scope="module")
def robots():
    nao = launch_command("nao.launch.py", f"port:={free_port()}")
    aibo = launch_command("aibo.launch.py", f"port:={free_port()}")
    with Process(nao) as one, Process(aibo) as other:
        one.wait_for_line("link connected")
        other.wait_for_line("link connected")
        yield


def test_a_client_drives_two_robots_within_its_bounds(robots, tmp_path):
    async def conversation(session, use):
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert tools == {"interfaces", "read", "call", "act", "drive"}
        listed = {}
        while not {"/nao/go_to", "/aibo/cmd_vel", "/nao/location"} <= listed.keys():
            listed = {one["name"]: one for one in json.loads(await use("interfaces"))}
        assert not any(name.startswith("/bw4t") for name in listed)
        assert listed["/nao/go_to"]["fields"]["marker_id"] == "int32"
        end = json.loads(await use("act", action="/nao/go_to", goal={"marker_id": 80}))
        assert end["status"] == "succeeded"
        # The robot reports its new room after its success.
        while json.loads(await use("read", topic="/nao/location"))["marker_id"] != 80:
            pass
        assert json.loads(await use("call", service="/nao/halt", request={}))["success"] is True
        before = json.loads(await use("read", topic="/aibo/odom"))["pose"]["pose"]["position"]
        speed = {"forward": 0.1, "left": 0.0, "turn": 0.0}
        assert await use("drive", topic="/aibo/cmd_vel", **speed, seconds=3.0) == "done"
        after = json.loads(await use("read", topic="/aibo/odom"))["pose"]["pose"]["position"]
        assert after["x"] > before["x"] + 0.05
        for answer, reason in (
            (await use("drive", topic="/aibo/cmd_vel", **{**speed, "forward": 2.0}, seconds=1.0),
             "at most 0.2 m/s"),
            (await use("call", service="/aibo/stop", request={}), "/aibo/stop is not allowed"),
            (await use("act", action="/nao/go_to", goal={"room": 1}), "no field 'room'"),
            (await use("act", action="/nao/go_to", goal={"marker_id": "x"}), "is of type int32"),
        ):  # fmt: skip
            assert answer.startswith("refused: "), answer
            assert reason in answer

    log = talk(conversation, tmp_path / "log")
    assert 'act["/nao/go_to", {"marker_id": 80}]: {"status": "succeeded"' in log
    assert "refused: at most 0.2 m/s" in log
    assert "Traceback" not in log


def test_a_goal_is_cancelled_when_its_client_has_gone(robots, tmp_path):
    async def conversation(session, use):
        go_to = {"action": "/nao/go_to", "goal": {"marker_id": 64}}
        while (await use("act", **go_to)).startswith("refused: there is no"):
            pass
        status.clear()
        act = asyncio.create_task(use("act", **go_to | {"goal": {"marker_id": 146}}))
        await asyncio.to_thread(status.wait_for, lambda m: EXECUTING in statuses(m))
        act.cancel()

    def statuses(message):
        return [one.status for one in message.status_list]

    with RosPeer() as peer:
        status = peer.subscribe(GoalStatusArray, "/nao/go_to/_action/status")
        log = talk(conversation, tmp_path / "log")
        status.wait_for(lambda m: GoalStatus.STATUS_CANCELED in statuses(m))
    assert "Traceback" not in log
