# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A policy of sb3-contrib that judges all places by the same network. Needs sb3-contrib."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from bw4t_study.learning.episodes import FIRST_PLACE, OWN_FEATURES, ROOM_FEATURES

HIDDEN = 64


class Places(nn.Module):
    """Logits of the actions (batch, actions), and features of the value (batch, ``HIDDEN``).

    Each place is encoded with what the robot has of itself, and scored beside the largest of all
    codes: what is learned at one room holds for all. Its number is given, too: rooms differ.
    """

    def __init__(self, places: int) -> None:
        super().__init__()
        self.latent_dim_pi, self.latent_dim_vf = FIRST_PLACE + places, HIDDEN
        self.register_buffer("numbers", torch.eye(places))
        self.own = nn.Linear(OWN_FEATURES, HIDDEN)
        self.place = nn.Linear(ROOM_FEATURES + places, HIDDEN)
        self.encode = nn.Linear(HIDDEN, HIDDEN)
        self.score_place = nn.Sequential(
            nn.Linear(2 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )
        self.score_others = nn.Sequential(
            nn.Linear(2 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, FIRST_PLACE)
        )
        self.value = nn.Sequential(nn.Linear(2 * HIDDEN, HIDDEN), nn.ReLU())

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and features of the value."""
        batch, places = len(seen), len(self.numbers)
        rooms = seen[:, OWN_FEATURES:].reshape(batch, places, ROOM_FEATURES)
        rooms = torch.cat((rooms, self.numbers.expand(batch, -1, -1)), 2)
        own = self.own(seen[:, :OWN_FEATURES])
        codes = torch.relu(self.encode(torch.relu(self.place(rooms) + own[:, None])))
        largest = codes.amax(1)
        beside = torch.cat((codes, largest[:, None].expand_as(codes)), 2)
        whole = torch.cat((torch.relu(own), largest), 1)
        logits = torch.cat((self.score_others(whole), self.score_place(beside)[:, :, 0]), 1)
        return logits, self.value(whole)

    def forward_actor(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        return self(seen)[0]

    def forward_critic(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the features of the value."""
        return self(seen)[1]


class PlacesPolicy(MaskableActorCriticPolicy):
    """The policy and value of :class:`Places`."""

    def _build_mlp_extractor(self) -> None:
        places = int(self.action_space.n) - FIRST_PLACE
        self.mlp_extractor = Places(places)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        for score in (self.mlp_extractor.score_place, self.mlp_extractor.score_others):
            nn.init.orthogonal_(score[-1].weight, 0.01)  # at first all actions are as likely
