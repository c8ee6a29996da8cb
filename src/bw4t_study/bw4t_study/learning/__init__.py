# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world for learning: PettingZoo, gymnasium, and many worlds in one process.

Needs pettingzoo, gymnasium and numpy (extra ``learn``)::

    from bw4t_study.learning import aec_env, parallel_env

    env = parallel_env(robots=3)

    import gymnasium
    import bw4t_study.learning  # registers the names

    env = gymnasium.make("BlocksWorld-v0", map="nine_rooms_random")
    envs = gymnasium.make_vec("BlocksWorld-v0", num_envs=64)
"""

from __future__ import annotations

try:
    import gymnasium
    import pettingzoo  # noqa: F401
except ImportError as missing:
    raise ImportError(
        'bw4t_study.learning needs pettingzoo and gymnasium: pip install "bw4t_study[learn]"'
    ) from missing

from bw4t_study.learning.episodes import Episode, Rules
from bw4t_study.learning.single import BlocksWorldEnv, BlocksWorldVectorEnv
from bw4t_study.learning.team import BlocksWorldParallelEnv, aec_env, parallel_env

if "BlocksWorld-v0" not in gymnasium.registry:
    gymnasium.register(
        "BlocksWorld-v0",
        entry_point="bw4t_study.learning.single:BlocksWorldEnv",
        vector_entry_point="bw4t_study.learning.single:BlocksWorldVectorEnv",
    )

__all__ = [
    "BlocksWorldEnv",
    "BlocksWorldParallelEnv",
    "BlocksWorldVectorEnv",
    "Episode",
    "Rules",
    "aec_env",
    "parallel_env",
]
