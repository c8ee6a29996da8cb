# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every event of the document through the host, in both roles and all profiles, byte by byte."""

import pytest

from legacy_robots_msgs.msg import LinkState

pytestmark = pytest.mark.node

EARLY = ("spec", "may17", "may24", "may31")
PROFILES = (*EARLY, "june7", "june10", "june13", "naovigate")
GO_TO_32 = {
    "spec": "01 00000020 00000000",
    "may17": "01 00000000 00000020 00000000",
    "may24": "01 00000002 00000000 00000000 00000001 00000000",
    "may31": "01 00000002 00000000 00000000 00000001 00000000",
}
GO_TO_32_FROM_JUNE = "01 00000002 00000005 00000005 0000000F 00000005"


def seen(profile, room):
    """What is in sight from a room: markers, or from June on the object that lies in room 16."""
    if profile in EARLY:
        return [f"8A 000000{marker:02X} 000000{abs(room - marker) // 16:02X}"
                for marker in sorted((16, 32) if room == 16 else (16, 32, 48),
                                     key=lambda marker: (abs(room - marker), marker))]  # fmt: skip
    if room != 16:
        return []
    return ["8A 00000005 00000010" if profile in ("june7", "june10") else "8A 00000005"]


@pytest.mark.parametrize("role", ["dial", "listen"])
@pytest.mark.parametrize("profile", PROFILES)
def test_every_event(hosted, profile, role):
    def success(code):
        return f"81 000000{code}" if profile == "naovigate" else f"81 {code}"

    with hosted(role, profile=profile) as scene:
        agent = scene.meet(in_bits=profile not in ("spec", "may17", "may24"))
        agent.expect("8E 00000007", "89 00000010", "8F 00000000", *seen(profile, 16))

        agent.send("02 00000005" if profile in (*EARLY, "june7") else "02")
        agent.expect(success("02"), "8D 00000005")
        agent.send("03")
        agent.expect(success("03"), "8C 00000005" if profile in EARLY else "8C")

        agent.send(GO_TO_32.get(profile, GO_TO_32_FROM_JUNE))
        goal = scene.robot.next_goal()
        assert goal.place == ("map", 1.0, 0.0, 0)
        agent.expect("8F 00000001")
        scene.robot.x = 1.0
        goal.end.set_result("succeed")
        agent.expect("8F 00000000", success("01"))
        agent.expect("89 00000020", *seen(profile, 32))

        agent.send("04")
        agent.expect(success("04"))
        agent.send("03")
        agent.expect(success("03").replace("81", "82"))
        agent.send("00")
        agent.expect(success("00"))
        agent.expect_end()


@pytest.mark.parametrize("other", ["may17", "may24"])
def test_zero_arguments_of_another_raw_profile_are_no_exit(hosted, other):
    with hosted(profile="spec") as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32[other])
        fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert f"would fit profile {other}" in fault.detail
        scene.greeted()
        assert scene.node.exit_code is None


@pytest.mark.parametrize("profile", ["may17", "may24"])
def test_a_command_that_is_only_complete_in_another_raw_profile_is_a_fault(hosted, profile):
    with hosted(profile=profile) as scene:
        agent = scene.greeted()
        agent.send(GO_TO_32["spec"])
        fault = scene.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert fault.detail.endswith("is incomplete; what it has sent would fit profile spec")
