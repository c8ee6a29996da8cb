# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Clients for tests: a minimal agent platform in Java, driven from here, and one without Java."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from pathlib import Path

from bw4t_java.jvm.compiler import classes, compiled, find_java
from bw4t_java.jvm.process import OPENED, class_path

TIMEOUT_S = 60.0
SOURCE = Path(__file__).with_name("EisClient.java")
ORIGINAL = "nl.tudelft.bw4t.client.environment.RemoteEnvironment"


class EisCallError(Exception):
    """Raised where the environment raised an exception; ``kind`` is its class."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class EisClient:
    """An environment in a JVM of its own; ``call("registerAgent", "a")`` calls its methods."""

    def __init__(self, environment, *jars):
        self.seen = {}
        ours = classes()
        entries = [
            compiled([SOURCE], (ours,)),
            ours,
            *(
                jar
                if Path(jar).is_dir() and (Path(jar) / "eis").is_dir()
                else class_path(str(jar))
                for jar in jars
            ),
        ]
        opened = [option for module in OPENED for option in ("--add-opens", module)]
        self.process = subprocess.Popen(
            [
                *(find_java(), *opened, "-Djava.awt.headless=true"),
                *("-cp", os.pathsep.join(map(str, entries)), "legacyrobots.bw4t.EisClient"),
                environment,
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def call(self, *request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise EisCallError(answer["error"], answer["text"])
        return answer["value"]

    def events(self, name):
        """Return the first argument of each event of this name so far."""
        return [event[1] for event in self.call("events") if event[0] == name]

    def percepts(self, agent):
        """Return what one poll adds for the one entity of an agent, as tuples."""
        (lists,) = self.call("percepts", agent).values()
        return [tuple(percept) for percept in lists["add"]]

    def join(self, agent, entity):
        self.call("registerAgent", agent)
        self.call("associateEntity", agent, entity)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class WireError(Exception):
    """Raised for an answer with an error; ``kind`` is its EIS exception."""

    def __init__(self, answer):
        super().__init__(answer["text"])
        self.kind = answer["error"]


class WireClient:
    """What the Java programs do on the wire, without Java."""

    def __init__(self, port, eis="0.5"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)
        self.lines = self.socket.makefile("rb")
        self.events = []
        self.number = 0
        self.call("hello", eis=eis)

    def call(self, op, **fields):
        self.number += 1
        self.send(json.dumps({"id": self.number, "op": op, **fields}).encode() + b"\n")
        while "event" in (answer := self.receive()):
            self.events.append(answer)
        assert answer["id"] == self.number
        if "error" in answer:
            raise WireError(answer)
        return answer["value"]

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        line = self.lines.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    def event(self):
        """Return the next event, which may have come already."""
        return self.events.pop(0) if self.events else self.receive()

    def drive(self, agent, entity):
        self.call("register_agent", agent=agent)
        self.call("associate", agent=agent, entity=entity)

    def percepts(self, entity):
        return self.call("percepts", entity=entity)["add"]

    def close(self):
        self.lines.close()
        self.socket.close()


def until(condition):
    """Wait until a condition is true, which is asked of something that takes its time."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
