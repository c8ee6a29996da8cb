# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Play the original's environment and hand-made agent, unmodified: run by test_original.py.

driver.py DIRECTORY PORT PLAN, in the Python of that directory. PLAN is JSON: a list of
episodes, each with a level, a number of steps and a policy: "hand", "straight" for the hand-made
agent that does not steer, or the seed of random actions.
Prints a JSON line for each reset and each step.
"""

import json
import random
import sys
import types
from importlib import import_module
from pathlib import Path

# Imported by the original, and not used by its numerical environment.
for name in ("torch", "torchvision", "cv2"):
    sys.modules[name] = types.ModuleType(name)
torch = sys.modules["torch"]
torch.nn = types.ModuleType("torch.nn")
torch.nn.Module = object
sys.modules["torch.nn"] = torch.nn
torchvision = sys.modules["torchvision"]
torchvision.transforms = types.ModuleType("torchvision.transforms")
sys.modules["torchvision.transforms"] = torchvision.transforms

directory = Path(sys.argv[1])
sys.path.insert(0, str(directory / "gym"))
sys.path.insert(0, str(directory))

import numpy as np  # noqa: E402

lines = sys.stdout
sys.stdout = sys.stderr  # the original prints

RoboSkateNumerical = import_module("gym.envs.RoboSkate.RoboSkateNumerical").RoboSkateNumerical
HardcodedAgents = import_module("hardcoded_agents").HardcodedAgents


def tell(**values):
    print(json.dumps(values), file=lines, flush=True)


def numbers(values):
    return [float(value) for value in values]


env = RoboSkateNumerical(
    startport=int(sys.argv[2]), rank=0, headlessMode=True, AutostartRoboSkate=False, startLevel=0
)
for level, steps, policy in json.loads(sys.argv[3]):
    env.startLevel = level
    agent = HardcodedAgents(env.reset())
    tell(level=level, observation=numbers(agent.obs))
    rng = random.Random(policy)
    for step in range(steps):
        agent.step = step
        if policy in ("hand", "straight"):
            if policy == "straight":
                agent.info = {**agent.info, "steering_angle": 0}
            action = agent.checkpoint_follower()
        else:
            action = np.array([rng.uniform(-1, 1) for _ in range(3)])
        action = action.astype(np.float32)
        agent.obs, reward, done, agent.info = env.step(action)
        tell(
            action=numbers(action), observation=numbers(agent.obs), reward=float(reward),
            done=bool(done), checkpoint=int(env.next_checkpoint),
        )  # fmt: skip
        if done:
            break
