# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""CoGrid's Overcooked stepped with random actions: prints agents' steps a second of CPU time.

Runs in an interpreter that has cogrid, and imports nothing of this repository.
"""

import sys
import time

import cogrid.envs  # noqa: F401 - registers the names
import numpy as np
from cogrid.envs import registry

env = registry.make("Overcooked-CrampedRoom-V0")
random, steps = np.random.default_rng(1), 0
env.reset(seed=1)
agents, number = list(env.possible_agents), env.action_space(env.possible_agents[0]).n
begin = time.process_time()
while time.process_time() - begin < float(sys.argv[1]):
    outcome = env.step({agent: int(random.integers(number)) for agent in agents})
    steps += len(agents)
    if any(outcome[2].values()) or any(outcome[3].values()):
        env.reset()
print(steps / (time.process_time() - begin))
