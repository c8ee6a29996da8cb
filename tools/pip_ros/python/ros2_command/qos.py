# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Quality of service of ``ros2 topic echo`` and ``ros2 topic pub``."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ros2_command.ros import ros

_PROFILES = [
    "unknown",
    "default",
    "system_default",
    "sensor_data",
    "services_default",
    "parameters",
    "parameter_events",
    "action_status_default",
    "best_available",
]
_HISTORY = ["system_default", "keep_last", "keep_all", "unknown"]
_RELIABILITY = ["system_default", "reliable", "best_effort", "unknown", "best_available"]
_DURABILITY = ["system_default", "transient_local", "volatile", "unknown", "best_available"]


def add_qos_arguments(parser: argparse.ArgumentParser, profile: str) -> None:
    """Add the arguments; `profile` names the preset that is used without them."""
    parser.add_argument(
        "--qos-profile",
        choices=_PROFILES,
        help=f"Quality of service preset profile (default: {profile})",
    )
    parser.add_argument(
        "--qos-depth",
        metavar="N",
        type=int,
        help="Queue size setting (overrides depth value of --qos-profile option)",
    )
    parser.add_argument(
        "--qos-history",
        choices=_HISTORY,
        help="History of samples setting (overrides history value of --qos-profile option)",
    )
    parser.add_argument(
        "--qos-reliability",
        choices=_RELIABILITY,
        help="Quality of service reliability setting (overrides reliability value of "
        "--qos-profile option, default: Compatible profile with running endpoints)",
    )
    parser.add_argument(
        "--qos-durability",
        choices=_DURABILITY,
        help="Quality of service durability setting (overrides durability value of "
        "--qos-profile option, default: Compatible profile with running endpoints)",
    )


def chosen_qos(args: argparse.Namespace, profile: str) -> tuple[Any, set[str]]:
    """Return the profile of the arguments, and which of its settings the user chose."""
    qos = ros("rclpy.qos")
    policies = {
        "history": qos.HistoryPolicy,
        "reliability": qos.ReliabilityPolicy,
        "durability": qos.DurabilityPolicy,
    }
    preset = qos.QoSPresetProfiles.get_from_short_key(args.qos_profile or profile)
    settings = {
        "history": preset.history,
        "depth": preset.depth,
        "reliability": preset.reliability,
        "durability": preset.durability,
    }
    chosen = set(settings) if args.qos_profile else set()
    for kind, policy in policies.items():
        key = getattr(args, f"qos_{kind}")
        if key is not None:
            settings[kind] = policy.get_from_short_key(key)
            chosen.add(kind)
    if args.qos_depth is not None:
        settings["depth"] = args.qos_depth
        chosen.add("depth")
    return qos.QoSProfile(**settings), chosen


def follow_publishers(qos: Any, chosen: set[str], publishers: list[Any]) -> None:
    """Set what the user left open so that a subscription matches all `publishers`."""
    reliability, durability = ros("rclpy.qos").ReliabilityPolicy, ros("rclpy.qos").DurabilityPolicy
    strict = {
        "reliability": (reliability.RELIABLE, reliability.BEST_EFFORT),
        "durability": (durability.TRANSIENT_LOCAL, durability.VOLATILE),
    }
    for kind, (firm, loose) in strict.items():
        if kind in chosen or not publishers:
            continue
        offering = sum(getattr(info.qos_profile, kind) == firm for info in publishers)
        if offering == len(publishers):
            setattr(qos, kind, firm)
            continue
        if offering:
            name = f"QoS{type(firm).__name__.removeprefix('QoS')}"
            print(
                f"Some, but not all, publishers are offering {name}.{firm.name}. Falling back to "
                f"{name}.{loose.name} as it will connect to all publishers",
                file=sys.stderr,
            )
        setattr(qos, kind, loose)
