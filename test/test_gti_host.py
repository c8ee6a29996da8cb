# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host as a user starts it: the unchanged Golog program on three robots, and what dies."""

import itertools
import math
import os
import shutil
import signal
import socket
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from nav_msgs.msg import Odometry
from std_srvs.srv import Trigger

import aibo_gti_bridge
from legacy_robots_common.node import qos
from legacy_robots_testing.machine import free_ports, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

PROLOG = Path(aibo_gti_bridge.__file__).parent / "prolog"
needs_prolog = pytest.mark.skipif(
    shutil.which("swipl") is None, reason="needs SWI-Prolog: apt-get install swi-prolog-nox"
)
STANDS_WITHIN_S = 1.2
"""Twice what docs/gti_host.md says: machines that run tests are busy."""
HELD_UP_S = 0.2
"""Odometry comes every 0.05 s or faster: a longer step is a process that got no processor."""
MOVED_M = 1e-5
"""An odometry step below this is standing."""


class Stage:
    """A launched gti_host with its simulated robot."""

    def __init__(self, launch, peer, port, robot):
        self.launch, self.peer, self.port = launch, peer, port
        self.odometry = peer.subscribe(Odometry, f"{robot}/odom", qos.stream(100))


@pytest.fixture
def start():
    """Return a context manager that launches a host and the robot of a map."""

    @contextmanager
    def run(kind, *arguments):
        port, robot_port = free_ports(2)
        robot = f"/{kind}"
        command = launch_command(
            "gti_host.launch.py", f"map:={kind}", f"port:={port}", f"robot_port:={robot_port}",
            f"robot_namespace:={robot}", *arguments,
        )  # fmt: skip
        with Process(command) as launch, RosPeer() as peer:
            launch.wait_for_line("waiting for a connection")
            stage = Stage(launch, peer, port, robot)
            stage.odometry.wait_for()
            yield stage

    return run


def play(port):
    return Process(["swipl", PROLOG / "fetch_attention.pl", "127.0.0.1", str(port)])


INDIGOLOG = os.environ.get("LEGACY_ROBOTS_INDIGOLOG", "")
needs_indigolog = pytest.mark.skipif(
    not INDIGOLOG or shutil.which("swipl") is None,
    reason="needs SWI-Prolog, and LEGACY_ROBOTS_INDIGOLOG to name a clone of "
    "github.com/ssardina-agts/indigolog (docs/originals/aibo.md, 13)",
)


def indigolog(port):
    return Process(["swipl", PROLOG / "indigolog_dog.pl", INDIGOLOG, "127.0.0.1", str(port)])


def is_interrupted_and_recovers(golog):
    golog.wait_for_line("^done$")
    assert golog.wait() == 0
    text = "\n".join(golog.lines.items)
    print(text)
    seen = ["search: far", "walk_on", "exogenous: press", "sit", "exogenous: release", "get_up",
            "search: far", "walk_on", "look: near", "wave", "done"]  # fmt: skip
    at = 0
    for line in seen:
        at = text.index(f"{line}\n" if line != "done" else line, at) + 1


@needs_indigolog
@pytest.mark.timeout(180)
def test_indigolog_on_the_simulated_dog_is_interrupted_and_recovers(port):
    simulator = [
        get_package_prefix("aibo_gti_bridge") + "/lib/aibo_gti_bridge/simulator",
        "--port", str(port), "--ball", "pink,0.3,0.4", "--press", "HeadBut,5,2",
    ]  # fmt: skip
    with Process(simulator) as dog:
        dog.wait_for_line("listening|waiting")
        with indigolog(port) as golog:
            is_interrupted_and_recovers(golog)


@needs_indigolog
@pytest.mark.timeout(180)
def test_indigolog_on_a_wheeled_robot_is_interrupted_and_recovers(start):
    with start("pan_tilt") as stage, indigolog(stage.port) as golog:
        golog.wait_for_line("walk_on")
        assert stage.peer.call(Trigger, "/pan_tilt/press", Trigger.Request()).success
        is_interrupted_and_recovers(golog)


@needs_indigolog
@pytest.mark.timeout(180)
def test_indigolog_on_a_quadruped_loses_the_ball_from_its_view_and_waves(start):
    with start("quadruped") as stage, indigolog(stage.port) as golog:
        golog.wait_for_line("^done$")
        assert golog.wait() == 0
        text = "\n".join(golog.lines.items)
        for before, after in itertools.pairwise(["search: far", "walk_on", "look: near", "wave"]):
            assert text.index(before) < text.index(after)


def place(message):
    position = message.pose.pose.position
    return position.x, position.y


def stamp(message):
    return message.header.stamp.sec + message.header.stamp.nanosec / 1e9


def way(messages):
    return sum(math.dist(place(a), place(b)) for a, b in itertools.pairwise(messages))


@needs_prolog
@pytest.mark.timeout(180)
@pytest.mark.parametrize("kind", ["aibo", "pan_tilt", "quadruped"])
def test_the_unchanged_golog_program_on(kind, start):
    with start(kind) as stage, play(stage.port) as golog:
        golog.wait_for_line("^done$")
        assert golog.wait() == 0
        text = "\n".join(golog.lines.items)
        print(f"--- {kind}\n{text}")
        assert "look_for(pink) [found(pink)=1]" in text
        assert "walk_on" in text
        assert text.index("stand_still") < text.index("play(wave.mot")
        assert way(stage.odometry.items) > 0.05
        played = {"aibo": r"Motion\(file='wave.mot'\)", "pan_tilt": "waves", "quadruped": "waves"}
        stage.launch.wait_for_line(played[kind])


def wait_until_it_stands(odometry, begun):
    """Return how long after ``begun`` (s, wall clock) the robot last moved.

    A time in which the robot's own process was held up does not count: nothing can stop it then.
    """
    still = 0
    seen = len(odometry.items)
    while still < 15:
        odometry.wait_for_count(seen + 1)
        seen += 1
        moved = math.dist(place(odometry.items[-1]), place(odometry.items[-2]))
        still = 0 if moved > MOVED_M else still + 1
    seconds = counted = 0.0
    for before, after in itertools.pairwise(odometry.items):
        passed = stamp(after) - max(begun, stamp(before))
        if stamp(after) <= begun or passed <= 0.0:
            continue
        counted += min(passed, HELD_UP_S)
        if math.dist(place(before), place(after)) > MOVED_M:
            seconds = counted
    return seconds


class Relay:
    """The network between a client and the host, which can be cut."""

    def __init__(self, port):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = [self._listener]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        try:
            client, _ = self._listener.accept()
            server = socket.create_connection(("127.0.0.1", self._target))
            self._sockets += [client, server]
            while data := client.recv(65536):
                server.sendall(data)
            server.close()
        except OSError:
            pass

    def cut(self):
        for sock in self._sockets:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.cut()


# A client that makes the robot walk and then says nothing.
WALKING = """
import socket, struct, sys, time
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(struct.pack("<ii3dii", 6, 32, 120.0, 0.0, 0.0, -1, 0))
print("walking", flush=True)
time.sleep(600)
"""


def walking(port):
    return Process([sys.executable, "-c", WALKING, str(port)])


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "kind,dies",
    [
        *itertools.product(["aibo", "pan_tilt"], ["interpreter", "link", "gti_host"]),
        ("aibo", "bridge"),
    ],
)
def test_whatever_dies_in_mid_walk_the_robot_stands(kind, dies, start):
    with start(kind) as stage, Relay(stage.port) as relay, walking(relay.port) as client:
        client.wait_for_line("walking")
        first = place(stage.odometry.items[-1])
        stage.odometry.wait_for(lambda m: math.dist(place(m), first) > 0.05)
        if dies == "bridge":
            # Its odometry dies with it: the simulator says that its client is gone, and stops.
            os.kill(stage.launch.pid_of("bridge"), signal.SIGKILL)
            stage.launch.wait_for_line("has gone")
            stage.launch.wait_for_line("the robot is stopped")
            return
        host = stage.launch.pid_of("gti_host")
        begun = time.time()
        if dies == "interpreter":
            client.signal(signal.SIGKILL)
        elif dies == "gti_host":
            os.kill(host, signal.SIGKILL)
        else:
            relay.cut()
        seconds = wait_until_it_stands(stage.odometry, begun)
        print(f"{kind}: the robot stands {seconds:.2f} s after {dies} died")
        assert seconds < STANDS_WITHIN_S
