# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration in a container's /dev/shm: Docker makes one of 64 MB."""

import json
import subprocess
import sys

import pytest

from legacy_robots_testing.machine import shared_memory_of
from legacy_robots_testing.process import Process

pytestmark = pytest.mark.demonstration

WATCH = """
import json
from rclpy.qos import ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, Image
from legacy_robots_common.node import qos
from legacy_robots_testing.demonstration import Demonstration
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.ros_peer import RosPeer
from measure.processes import sample

def stamp(message):
    return message.header.stamp.sec, message.header.stamp.nanosec

profile = qos.stream(100)  # so many wait for a reader that has no processor
profile.reliability = ReliabilityPolicy.BEST_EFFORT
arguments = ["compose:=false", "view:=web", f"view_port:={free_port()}"]
with RosPeer() as peer, Demonstration(peer, *arguments) as demo:
    demo.wait()
    # One is sent with each image, reliably: a busy machine skips both.
    infos = peer.subscribe(CameraInfo, "/roboskate/camera/camera_info", qos.stream(1000))
    infos.wait_for()
    images = peer.subscribe(Image, "/roboskate/camera/image_raw", profile)
    first = stamp(images.wait_for())
    infos.wait_for(lambda m: stamp(m) >= first)
    # Counted by what always arrives: without shared memory a busy machine loses images.
    infos.wait_for_count(len(infos.items) + 200)
    last = stamp(infos.items[-1])
    images.wait_for(lambda m: stamp(m) > last)
    sent = [m for m in infos.items if first <= stamp(m) <= last]
    received = [m for m in images.items if first <= stamp(m) <= last]
    started = [pid for _, pid in demo.launch.started()]
    memory = sum(sample(pid).proportional for pid in [demo.launch.pid, *started])
    lines = demo.launch.lines.items
print(json.dumps({"received": len(received), "sent": len(sent), "memory": memory, "lines": lines}))
"""


@pytest.fixture(scope="module", params=["64m", "16m"])
def watched(request):
    sandbox = shared_memory_of(request.param)
    if subprocess.call([*sandbox, "true"]) != 0:
        pytest.skip("needs the right to make a mount namespace (unshare --mount)")
    with Process([*sandbox, sys.executable, "-c", WATCH]) as process:
        assert process.wait(150) == 0, process.lines.items
        return request.param, json.loads(process.lines.items[-1])


@pytest.mark.timeout(240)
def test_no_middleware_complains(watched):
    assert [line for line in watched[1]["lines"] if "\x1b[" in line or " Error]" in line] == []


@pytest.mark.timeout(240)
def test_raw_images_arrive_best_effort(watched):
    size, seen = watched
    print(f"/dev/shm of {size}: {seen['received']} images of {seen['sent']}")
    if size == "64m":
        assert seen["received"] >= 24 / 25 * seen["sent"]


@pytest.mark.timeout(240)
def test_the_processes_take_a_gigabyte_at_most(watched):
    print(f"{watched[1]['memory']:.0f} MiB")
    assert watched[1]["memory"] <= 1000.0
