# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A program that calls actions and services by rclpy alone: nothing of ours is imported.

It reads orders, a JSON object a line, and prints what comes of each. Messages are hexadecimal CDR.
``number`` names an order; ``kind`` (PACKAGE/action/NAME), ``name`` and ``message`` are what is to
be sent; ``cancel`` is the number of a goal. It ends with its standard input.
"""

import importlib
import json
import queue
import sys
import threading
import time
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.serialization import deserialize_message, serialize_message

AGAIN_S = 2.0
"""After which what is not answered is asked for again, as ROS never answers for a killed server"""
SETTLED_S = 1.0
"""How much later than another answer the first request of a result may be answered."""


def print_event(number: int, event: str, **more: Any) -> None:
    """Print one event of an order."""
    print(json.dumps({"number": number, "event": event, **more}), flush=True)


class Goal:
    """A goal: sent until it is answered, and its result asked for until that is there."""

    def __init__(self, client: ActionClient, number: int, goal: Any) -> None:
        self._client, self._number, self._goal = client, number, goal
        self._handle: Any = None
        self._first: Any = None
        self._ended_at = 0.0
        self._next = 0.0
        self.over = False

    def step(self, now: float) -> None:
        """Send or ask what is due."""
        if self._ended_at:
            self._settle(now)
        elif now >= self._next and self._client.server_is_ready():
            self._next = now + AGAIN_S
            if self._handle is None:
                self._client.send_goal_async(self._goal).add_done_callback(self._on_answer)
            else:
                asked = self._handle.get_result_async()
                self._first = self._first or asked
                asked.add_done_callback(self._on_result)

    def cancel(self) -> None:
        """Ask to cancel it, if it was accepted."""
        if self._handle is not None:
            self._handle.cancel_goal_async()

    def _on_answer(self, done: Any) -> None:
        handle = done.result()
        if self._handle is not None:
            if handle.accepted:  # it was sent twice
                handle.cancel_goal_async()
        elif handle.accepted:
            self._handle, self._next = handle, 0.0
            print_event(self._number, "accepted", id=bytes(handle.goal_id.uuid).hex())
        else:
            self.over = True
            print_event(self._number, "rejected")

    def _on_result(self, done: Any) -> None:
        if not self._ended_at:
            self._ended_at = time.monotonic()
            message = serialize_message(done.result()).hex()
            print_event(self._number, "ended", message=message)

    def _settle(self, now: float) -> None:
        answered = self._first.done()
        if answered or now > self._ended_at + SETTLED_S:
            self.over = True
            print_event(self._number, "settled", answered=answered)


class Call:
    """A call of a service, sent once."""

    def __init__(self, client: Any, number: int, request: Any) -> None:
        self._client, self._number, self._request = client, number, request
        self.over = False

    def step(self, now: float) -> None:
        """Send it, once there is a server."""
        if self._client.service_is_ready():
            self.over = True
            self._client.call_async(self._request).add_done_callback(self._on_answer)
            print_event(self._number, "sent")

    def cancel(self) -> None:
        """Do not send it any more."""
        self.over = True

    def _on_answer(self, done: Any) -> None:
        print_event(self._number, "ended", message=serialize_message(done.result()).hex())


class Client:
    """The node, its clients and what they have been told to do."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self._clients: dict[str, Any] = {}
        self.orders: dict[int, Goal | Call] = {}

    def take(self, order: dict[str, Any]) -> None:
        """Begin an order."""
        if "cancel" in order:
            if found := self.orders.get(order["cancel"]):
                found.cancel()
            return
        package, folder, name = order["kind"].split("/")
        kind = getattr(importlib.import_module(f"{package}.{folder}"), name)
        is_action = folder == "action"
        message = bytes.fromhex(order["message"])
        if order["name"] not in self._clients:
            self._clients[order["name"]] = (
                ActionClient(self._node, kind, order["name"])
                if is_action
                else self._node.create_client(kind, order["name"])
            )
        client = self._clients[order["name"]]
        asked = deserialize_message(message, kind.Goal if is_action else kind.Request)
        self.orders[order["number"]] = (Goal if is_action else Call)(
            client, order["number"], asked
        )

    def step(self) -> None:
        """Do what is due, forget what is over."""
        for number, order in [*self.orders.items()]:
            order.step(time.monotonic())
            if order.over:
                del self.orders[number]


def main() -> None:
    """Take orders until the end of standard input."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put("")

    rclpy.init()
    node = rclpy.create_node(sys.argv[1])
    client = Client(node)
    threading.Thread(target=read, daemon=True).start()
    print("ready", flush=True)
    while True:
        rclpy.spin_once(node, timeout_sec=0.02)
        while not lines.empty():
            if not (line := lines.get()):
                return
            client.take(json.loads(line))
        client.step()


if __name__ == "__main__":
    main()
