# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge and the host have to know of the wire between GOAL and a Nao."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.node.parameters import parameter
from nao_goal_bridge.protocol.dialects import Profile


@dataclass(frozen=True)
class WireParameters:
    """The parameters of both ends, which differ in who opens the connection."""

    host: str = parameter("127.0.0.1", "address to listen on, or to dial", group="The connection.")
    port: int = parameter(
        6474,
        "TCP port; the original's code has 6747 where its document has 6474",
        minimum=1,
        maximum=65535,
    )
    profile: str = parameter(
        "spec",
        "dialect (docs/nao.md#connect-the-original): spec, the document; naovigate, the "
        "original's last version; else the original of that date of 2013",
        choices=tuple(profile.value for profile in Profile),
    )
    code_width: int = parameter(
        0,
        "bytes of the code in Success and Failure, 1 or 4; 0: as the profile",
        minimum=0,
        maximum=4,
    )
