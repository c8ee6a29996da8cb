# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RLlib collects samples on a cluster of two Ray nodes on loopback.

Runs where Ray is installed: pip install "ray[rllib]" torch gymnasium numba.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import pytest

pytest.importorskip("ray", reason='needs Ray: pip install "ray[rllib]" torch')
pytest.importorskip("torch", reason='needs torch: pip install "ray[rllib]" torch')

# Ray takes this for "addresses of this machine are loopback".
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
CLUSTER = """
import subprocess, sys
import ray
from ray.cluster_utils import Cluster

node = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "node_ip_address": "127.0.0.1"}
cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
try:
    cluster.add_node(**node)
    train = [sys.executable, "-m", "roboskate_game.learning.train_rllib"]
    done = subprocess.run([*train, "--address", cluster.address, *sys.argv[1:]])
finally:
    cluster.shutdown()
sys.exit(done.returncode)
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_nodes_collect_samples(tmp_path):
    # Each runner needs a whole CPU and each node has one: the runners are on both nodes.
    arguments = ("--runners", "2", "--worlds", "4", "--batch", "2000", "--iterations", "2")
    done = subprocess.run(
        [sys.executable, "-c", CLUSTER, *arguments, "--output", str(tmp_path)],
        env={**os.environ, **LOOPBACK, "RAY_raylet_start_wait_time_s": "200"},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
    assert "2 runners on 2 nodes" in done.stderr
    rows = list(csv.DictReader((tmp_path / "curve.csv").open()))
    assert [int(row["steps"]) >= 2000 * (i + 1) for i, row in enumerate(rows)] == [True, True]
    assert (tmp_path / "checkpoint").is_dir()
