# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robots of a graph as tools of the Model Context Protocol, on standard streams.

    ros2 run legacy_robots_examples agent_tools --ros-args -p 'allowed:=[/nao/go_to]'

A client of the protocol may read topics, call services and send goals whose names are allowed, and
drive by cmd_vel below a speed. Each call is logged. Needs the protocol's SDK: pip install mcp
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

# Read when messages are imported: without it a value of a wrong type ends the process.
os.environ["ROS_PYTHON_CHECK_FIELDS"] = "1"

import rclpy
from geometry_msgs.msg import Twist
from rclpy.action import ActionClient, get_action_names_and_types
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

from legacy_robots_common.node.main import FAILED, parse_command_line, start_node
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.raw_topics import interface_class, offered
from legacy_robots_common.node.ros_arguments import initialize

INSTRUCTIONS = """You steer robots over ROS 2. interfaces lists what you may use, with the
fields of each type. Units are SI, angles are in rad, x is forward and y left. act waits for the
goal's end."""
DRIVE_PERIOD_S = 0.1
LONGEST_DRIVE_S = 10.0
CLOSE_S = 2.0
"""How long the end of goals may take when the client has gone."""
STOPS = 3
"""So many times a stop is sent."""


@dataclass(frozen=True)
class Parameters:
    """What a client may do."""

    allowed: list[str] = parameter(
        [""], "names that may be used; `*` and `?` stand for any letters; empty: none"
    )
    max_speed: float = parameter(0.2, "most that `drive` may ask for, m/s", minimum=0.0)
    max_turn: float = parameter(0.5, "the same, rad/s", minimum=0.0)
    timeout: float = parameter(
        120.0, "seconds for a message, an answer or a goal", minimum=0.001, maximum=86400.0
    )


class RefusedError(Exception):
    """What was asked for is not allowed or cannot be done; the message tells the client why."""


class AgentTools:
    """Carries out what a client asks for. Methods may be called on any thread."""

    def __init__(self, node: Node) -> None:
        self._node = node
        p = declare_parameters(node, Parameters)
        self._allowed, self._timeout = p.allowed, p.timeout
        self._speed, self._turn = p.max_speed, p.max_turn
        self._goals: list[Any] = []
        self._driving: set[str] = set()
        self.closed = threading.Event()

    def close(self) -> None:
        """Cancel the goals that are under way, and stop what is driven; takes up to CLOSE_S."""
        self.closed.set()
        end = time.monotonic() + CLOSE_S
        asked = [self._on_executor(handle.cancel_goal_async) for handle in tuple(self._goals)]
        while time.monotonic() < end and (
            self._driving or not all(cancel.done() for cancel in asked)
        ):
            time.sleep(0.01)

    def interfaces(self) -> str:
        """List the topics, services and actions that may be used, with their types' fields."""
        found = []
        for kind, names in self._names().items():
            for name, (type_name, *_) in sorted(names.items()):
                if self._allows(name):
                    found.append({"name": name, "kind": kind, "type": type_name,
                                  "fields": _fields(kind, type_name)})  # fmt: skip
        return json.dumps(found)

    def read(self, topic: str) -> str:
        """Return the next message of a topic, or the last one where it is latched."""
        kind = self._kind("topic", topic)
        got: Future[Any] = Future()

        def take(message: Any) -> None:
            if not got.done():
                got.set_result(message)

        subscription = self._on_executor(
            self._node.create_subscription, kind, topic, take, offered(self._node, topic)
        )
        try:
            return json.dumps(_plain(self._wait(got, f"{topic} has published nothing")))
        finally:
            self._on_executor(self._node.destroy_subscription, subscription)

    def call(self, service: str, request: dict[str, Any]) -> str:
        """Call a service with the fields of its request."""
        kind = self._kind("service", service)
        client = self._on_executor(self._node.create_client, kind, service)
        try:
            if not client.wait_for_service(self._timeout):
                raise RefusedError(f"{service} is not served")
            done = self._on_executor(client.call_async, _filled(kind.Request(), request))
            return json.dumps(_plain(self._wait(done, f"{service} has not answered")))
        finally:
            self._on_executor(self._node.destroy_client, client)

    def act(self, action: str, goal: dict[str, Any]) -> str:
        """Send a goal with its fields, wait for its end, and return status and result."""
        kind = self._kind("action", action)
        client = self._on_executor(ActionClient, self._node, kind, action)
        try:
            if not client.wait_for_server(self._timeout):
                raise RefusedError(f"{action} is not served")
            sent = self._on_executor(client.send_goal_async, _filled(kind.Goal(), goal))
            handle = self._wait(sent, f"{action} has not answered")
            if not handle.accepted:
                raise RefusedError(f"{action}: the goal is rejected")
            self._goals.append(handle)
            try:
                asked = self._on_executor(handle.get_result_async)
                end = self._wait(asked, f"{action} has not ended")
            except RefusedError:
                self._on_executor(handle.cancel_goal_async)
                raise
            finally:
                self._goals.remove(handle)
            status = {4: "succeeded", 5: "canceled", 6: "aborted"}.get(end.status, "unknown")
            return json.dumps({"status": status, "result": _plain(end.result)})
        finally:
            self._on_executor(client.destroy)

    def drive(self, topic: str, forward: float, left: float, turn: float, seconds: float) -> str:
        """Drive by a topic cmd_vel (m/s, m/s, rad/s) for up to 10 s, then stop."""
        if self._kind("topic", topic) is not Twist:
            raise RefusedError(f"{topic} is not of geometry_msgs/msg/Twist")
        if not all(math.isfinite(v) for v in (forward, left, turn, seconds)):
            raise RefusedError("speeds and seconds must be finite")
        if math.hypot(forward, left) > self._speed or abs(turn) > self._turn:
            raise RefusedError(f"at most {self._speed:g} m/s and {self._turn:g} rad/s are allowed")
        if not 0.0 < seconds <= LONGEST_DRIVE_S:
            raise RefusedError(f"seconds must be above 0 and at most {LONGEST_DRIVE_S:g}")
        publisher = self._on_executor(self._node.create_publisher, Twist, topic, 10)
        command = Twist()
        command.linear.x, command.linear.y, command.angular.z = forward, left, turn
        self._driving.add(topic)
        try:
            end = time.monotonic() + seconds
            while time.monotonic() < end and not self.closed.is_set():
                publisher.publish(command)
                time.sleep(DRIVE_PERIOD_S)
        finally:
            for _ in range(STOPS):
                publisher.publish(Twist())
                time.sleep(DRIVE_PERIOD_S)
            self._driving.discard(topic)
            self._on_executor(self._node.destroy_publisher, publisher)
        return "done"

    def _names(self) -> dict[str, dict[str, list[str]]]:
        return {
            "topic": dict(self._node.get_topic_names_and_types()),
            "service": dict(self._node.get_service_names_and_types()),
            "action": dict(get_action_names_and_types(self._node)),
        }

    def _allows(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self._allowed if pattern)

    def _kind(self, kind: str, name: str) -> Any:
        if not self._allows(name):
            raise RefusedError(f"{name} is not allowed")
        types = self._names()[kind].get(name)
        if not types:
            raise RefusedError(f"there is no {kind} {name}")
        try:
            return interface_class(types[0])
        except (ImportError, AttributeError) as error:
            raise RefusedError(f"{name}: its type {types[0]} is not installed") from error

    def _on_executor(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call on the executor's thread and return what it returns.

        Elsewhere rclpy loses an answer that comes too soon, and its executor ends by an exception
        where it waits for what is just destroyed.
        """
        return self._wait(self._node.executor.create_task(call, *arguments), "no executor")

    def _wait(self, future: Future[Any], what: str) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        if not done.wait(self._timeout):
            raise RefusedError(f"{what} within {self._timeout:g} s")
        return future.result()


def _fields(kind: str, type_name: str) -> Any:
    part = {"service": "Request", "action": "Goal"}.get(kind)
    try:
        message = interface_class(type_name)
        return (getattr(message, part) if part else message).get_fields_and_field_types()
    except (ImportError, AttributeError):
        return None


def _plain(value: Any) -> Any:
    """Return a message as JSON values; numbers that are not finite are null."""
    if hasattr(value, "get_fields_and_field_types"):
        return {name: _plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, bytes):  # a "byte"
        return value[0]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return [_plain(item) for item in value]


def _filled(message: Any, values: Mapping[str, Any]) -> Any:
    """Fill a message's fields. Raises RefusedError for one that there is not or a wrong type."""
    fields = message.get_fields_and_field_types()
    for name, value in values.items():
        if name not in fields:
            raise RefusedError(f"there is no field {name!r}; there are: {', '.join(fields)}")
        now = getattr(message, name)
        if hasattr(now, "get_fields_and_field_types") and isinstance(value, dict):
            _filled(now, value)
            continue
        if isinstance(value, list) and "/" in fields[name]:
            item = fields[name].removeprefix("sequence<").split("[")[0].split(">")[0].split(",")[0]
            kind = interface_class(item.replace("/", "/msg/"))
            if not all(isinstance(entry, dict) for entry in value):
                raise RefusedError(f"field {name!r} is of type {fields[name]}: give objects")
            value = [_filled(kind(), entry) for entry in value]
        if isinstance(now, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        try:
            setattr(message, name, value)
        except (AssertionError, TypeError, ValueError) as error:
            raise RefusedError(f"field {name!r} is of type {fields[name]}: {error}") from error
    return message


def main() -> None:
    """Serve a client on standard input and output until it goes."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        sys.exit(f"agent_tools needs the MCP SDK: pip install mcp ({error})")
    parse_command_line(["agent_tools", *sys.argv[1:]], (__doc__ or "").split("\n")[0], Parameters)
    initialize(sys.argv)
    found: list[AgentTools] = []

    def make_node() -> ProgramNode:
        node = ProgramNode("agent_tools")
        found.append(AgentTools(node))
        return node

    node = start_node(make_node, "agent_tools")
    if node is None:
        sys.exit(FAILED)
    (tools,) = found
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def spin() -> None:
        try:
            executor.spin()
        except Exception:
            if not tools.closed.is_set():
                raise

    threading.Thread(target=spin, name="executor", daemon=True).start()

    def leave(code: int) -> None:
        """End the program; a thread may still read the standard input."""
        tools.close()
        executor.shutdown(0.5)
        node.destroy_node()
        rclpy.try_shutdown()
        sys.stderr.flush()
        os._exit(code)

    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 0)):
        signal.signal(
            number, lambda *_, code=code: threading.Thread(target=leave, args=[code]).start()
        )
    server = MCPServer("legacy_robots", instructions=INSTRUCTIONS)

    def answered(name: str, method: Callable[..., str], *arguments: Any) -> str:
        """Carry out one call, and log it with its end."""
        started = time.monotonic()
        try:
            answer = method(*arguments)
        except RefusedError as error:
            answer = f"refused: {error}"
        took = time.monotonic() - started
        node.get_logger().info(f"{name}{json.dumps(arguments)}: {answer[:200]} ({took:.1f} s)")
        return answer

    def interfaces() -> str:
        return answered("interfaces", tools.interfaces)

    def read(topic: str) -> str:
        return answered("read", tools.read, topic)

    def call(service: str, request: dict[str, Any]) -> str:
        return answered("call", tools.call, service, request)

    def act(action: str, goal: dict[str, Any]) -> str:
        return answered("act", tools.act, action, goal)

    def drive(topic: str, forward: float, left: float, turn: float, seconds: float) -> str:
        return answered("drive", tools.drive, topic, forward, left, turn, seconds)

    for tool in (interfaces, read, call, act, drive):
        tool.__doc__ = getattr(AgentTools, tool.__name__).__doc__
        server.add_tool(tool)
    server.run("stdio")
    leave(0)


if __name__ == "__main__":
    main()
