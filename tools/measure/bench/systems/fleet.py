# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many bridges in one process: memory and load of each further robot, and its latency."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_common.system import System, system
from legacy_robots_testing.machine import free_ports, own_domain
from legacy_robots_testing.process import Process
from measure.bench.systems import aibo, nao
from measure.bench.table import Table
from measure.processes import cpu_percent, sample

MEMORY_TARGET = 15.0
RATIO_TARGET = 1.3
SETTLING_S = 3.0
FLEET = get_package_prefix("legacy_robots_common") + "/lib/legacy_robots_common/fleet"


def fleet(kind: str, ports: Sequence[int]) -> Process:
    """Start a fleet of bridges /robot_0, /robot_1, ... to robots on these ports."""
    nodes = ", ".join(f'"{kind} /robot_{n}"' for n in range(len(ports)))
    lines = [f"/fleet:\n  ros__parameters:\n    nodes: [{nodes}]\n"]
    for number, port in enumerate(ports):
        lines.append(f"/robot_{number}/bridge:\n  ros__parameters:\n    port: {port}\n")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
        file.writelines(lines)
    return Process([FLEET, "--ros-args", "--params-file", file.name])


def simulators(stack: ExitStack, declared: System, ports: Sequence[int]) -> None:
    """Start a simulated robot on each port, each a process."""
    program = f"{get_package_prefix(declared.package)}/lib/{declared.package}/simulator"
    for port in ports:
        stack.enter_context(Process([program, "--port", str(port)]))


def wait_for_links(process: Process, count: int) -> None:
    """Wait until this many bridges of a fleet are connected."""
    for number in range(count):
        process.wait_for_line(rf"robot_{number}\.bridge.*link connected")


def load(kind: str, count: int, seconds: float) -> tuple[float, float]:
    """Run a fleet on simulators; return its memory (MB, PSS) and its idle load (% of a core)."""
    with ExitStack() as stack:
        ports = free_ports(count)
        process = stack.enter_context(fleet(kind, ports))
        simulators(stack, system(kind), ports)
        wait_for_links(process, count)
        time.sleep(SETTLING_S)
        return sample(process.pid).proportional, cpu_percent(process.pid, seconds)


def nao_latencies(robots: int, count: int) -> tuple[list[float], list[float]]:
    """Return seconds from socket to subscriber: of the last robot of a fleet, and the floor's."""
    with ExitStack() as stack:
        *simulated, own, floor_port = free_ports(robots + 1)
        process = stack.enter_context(fleet("nao", [*simulated, own]))
        simulators(stack, system("nao"), simulated)
        floor_process = stack.enter_context(
            Process([sys.executable, "-m", nao.FLOOR, str(floor_port)])
        )
        floor_process.wait_for_line("ready")
        bridge = stack.enter_context(nao.connect(own))
        floor = stack.enter_context(nao.connect(floor_port))
        wait_for_links(process, robots)
        namespace = f"/robot_{robots - 1}"
        return nao.sighting_latencies(bridge, floor, count, namespace)


def aibo_latencies(robots: int, count: int) -> tuple[list[float], list[float]]:
    """Return the same for an AIBO's joint_states."""
    with ExitStack() as stack:
        simulated = free_ports(robots - 1)
        simulators(stack, system("aibo"), simulated)
        return aibo.latencies(
            count, lambda port: fleet("aibo", [*simulated, port]), f"/robot_{robots - 1}"
        )


LATENCIES: dict[str, Callable[[int, int], tuple[list[float], list[float]]]] = {
    "aibo": aibo_latencies,
    "nao": nao_latencies,
}


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench fleet", description=__doc__)
    parser.add_argument("--robots", type=int, default=10, help="in the fleet")
    parser.add_argument("--seconds", type=float, default=20.0, help="of watching the load")
    parser.add_argument("--messages", type=int, default=500, help="for the latency")
    options = parser.parse_args(argv)
    table = Table("Many bridges in one process (bench fleet)")
    robots = options.robots
    with ExitStack() as stack:
        own_domain(stack)
        for kind, latencies in LATENCIES.items():
            alone, lone_load = load(kind, 1, options.seconds)
            together, fleet_load = load(kind, robots, options.seconds)
            further = (together - alone) / (robots - 1)
            table.add(
                f"{kind}: memory of each further robot (of {robots})", f"{further:.1f} MB",
                f"<= {MEMORY_TARGET:g} MB", further <= MEMORY_TARGET,
            )  # fmt: skip
            table.add(f"{kind}: memory of one, of {robots}", f"{alone:.0f} MB, {together:.0f} MB")
            each = fleet_load / robots
            table.add(
                f"{kind}: CPU of a robot in the fleet, idle", f"{each:.2f} % of a core",
                f"<= {lone_load:.2f} % (alone)", each <= lone_load,
            )  # fmt: skip
            table.add_ratio(
                f"{kind}: socket to subscriber, in a fleet of {robots}",
                *latencies(robots, options.messages),
                RATIO_TARGET,
            )
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
