# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The same episode in process, over gRPC and over HTTP, as the benchmark compares them."""

import pytest

from measure.bench.systems import roboskate_backends

pytestmark = pytest.mark.lint


def test_the_packages_policy_plays_the_same_episode_everywhere(capsys):
    assert roboskate_backends.main(["--episodes", "1", "--steps", "10"]) == 0
    table = capsys.readouterr().out
    assert table.count("0 of 10 ") == 3 * len(roboskate_backends.QUANTITIES)
