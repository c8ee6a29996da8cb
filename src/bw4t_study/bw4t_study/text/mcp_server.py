# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot of the blocks world as tools of the Model Context Protocol, on standard streams.

Needs the protocol's Python SDK (extra ``mcp``). No network, no key.
"""

from __future__ import annotations

from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Any

from bw4t_study.text.session import TextSession

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = """You steer one robot of a team in the Blocks World for Teams. Bring coloured
blocks from the rooms to the DropZone in the order of the sequence, together with your team mates.
You see blocks only in the room that you are in, and only one robot fits into a room. Find a block
of the colour that is due: go_to a room, look, go_to_block, pick_up, go_to DropZone, put_down. Tell
the others what you do with say."""


class MissingError(ValueError):
    """The SDK is not installed."""


def make_server(session: TextSession) -> MCPServer:
    """Return a server whose tools play the robot of a session. Raises MissingError."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise MissingError('bw4t mcp needs the MCP SDK: pip install "bw4t_study[mcp]"') from error
    server = MCPServer("bw4t", instructions=INSTRUCTIONS, version=version("bw4t_study"))
    lock = Lock()
    # "| Any": the session checks arguments, and answers with a sentence.

    def request(tool: str, *arguments: object) -> str:
        with lock:  # the SDK calls tools on threads
            return session.request(tool, *arguments)

    def look() -> str:
        """Say what you perceive and remember: time, sequence, place, blocks, other players."""
        return request("look")

    def places() -> str:
        """List all places with their neighbours."""
        return request("places")

    def go_to(place: str | Any = None) -> str:
        """Go to a place, such as RoomA1 or DropZone, and wait until you stand."""
        return request("go_to", place)

    def go_to_block(block: int | Any = None) -> str:
        """Go to a block in your room by its number, and wait until you stand."""
        return request("go_to_block", block)

    def go_around() -> str:
        """Go around what has stopped you, to your last target."""
        return request("go_around")

    def pick_up() -> str:
        """Pick up the nearest block in reach."""
        return request("pick_up")

    def put_down() -> str:
        """Put down the block that you hold; in the DropZone this delivers it."""
        return request("put_down")

    def say(sentence: str | Any = None, receiver: str | Any = "all") -> str:
        """Send a message of the fixed set to a player, or to all; see the tool messages."""
        return request("say", sentence, receiver)

    def messages() -> str:
        """List all messages that can be said; replace what stands in braces."""
        return request("messages")

    def wait(seconds: float | Any = None) -> str:
        """Let simulated time pass, up to 60 seconds."""
        return request("wait", seconds)

    def measures() -> str:
        """Return the measures of the team so far."""
        return request("measures")

    tools = (look, places, go_to, go_to_block, go_around, pick_up, put_down, say, messages, wait)
    for tool in (*tools, measures):
        server.add_tool(tool)
    return server
