# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Elements of a URDF, for robots whose description is written by a program. No ROS.

The parts are texts; :func:`robot` puts them together. Lengths are in m, angles in rad, masses in
kg, in the frame of the link or of the parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import pi
from typing import TypeAlias

Triple: TypeAlias = tuple[float, float, float]
ZERO: Triple = (0.0, 0.0, 0.0)
ALONG_X: Triple = (0.0, pi / 2.0, 0.0)
"""Rotation of a cylinder whose axis is to be x."""
ALONG_Y: Triple = (pi / 2.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shape:
    """A box (size), cylinder (radius, length along z) or sphere (radius), somewhere; m, rad."""

    numbers: tuple[float, ...]
    at: Triple = ZERO
    turned: Triple = ZERO
    colour: str = "white"

    def geometry(self) -> str:
        """Return the element inside <geometry>."""
        n = [f"{number:g}" for number in self.numbers]
        if len(n) == 3:
            return f'<box size="{n[0]} {n[1]} {n[2]}"/>'
        if len(n) == 2:
            return f'<cylinder radius="{n[0]}" length="{n[1]}"/>'
        return f'<sphere radius="{n[0]}"/>'

    def moments(self) -> Triple:
        """Return the moments of inertia about its own axes for a mass of 1 kg, m²."""
        if len(self.numbers) == 3:
            x, y, z = (number * number / 12.0 for number in self.numbers)
            return y + z, x + z, x + y
        if len(self.numbers) == 2:
            radius, length = self.numbers
            across = (3.0 * radius**2 + length**2) / 12.0
            return across, across, radius**2 / 2.0
        (radius,) = self.numbers
        return (0.4 * radius**2,) * 3


@dataclass(frozen=True)
class Range:
    """What a joint can do: limits (rad), speed (rad/s) and effort (Nm)."""

    lower: float
    upper: float
    max_speed: float
    effort: float = 1.0


def link(name: str, mass: float, body: Shape, *shapes: Shape) -> str:
    """Return a link; ``body`` is what it collides with and what its inertia is that of.

    rviz paints all shapes of a link in the colour of the first: each further colour is a link of
    its own, called after it.
    """
    ixx, iyy, izz = (mass * moment for moment in body.moments())
    first = shapes[0].colour
    lines = [
        f'  <link name="{name}">',
        "    <inertial>",
        f"      {_origin(body.at, body.turned)}",
        f'      <mass value="{mass:g}"/>',
        f'      <inertia ixx="{ixx:.4g}" iyy="{iyy:.4g}" izz="{izz:.4g}"'
        ' ixy="0" ixz="0" iyz="0"/>',
        "    </inertial>",
        *(_visual(shape) for shape in shapes if shape.colour == first),
        f"    <collision>{_origin(body.at, body.turned)}"
        f"<geometry>{body.geometry()}</geometry></collision>",
        "  </link>",
    ]
    for colour in dict.fromkeys(shape.colour for shape in shapes if shape.colour != first):
        part = f"{name}_{colour}"
        lines.append(f'  <link name="{part}">')
        lines += [_visual(shape) for shape in shapes if shape.colour == colour]
        lines += ["  </link>", fixed(f"{part}_paint", name, part, ZERO)]
    return "\n".join(lines)


def frame(name: str) -> str:
    """Return a link without a body."""
    return f'  <link name="{name}"/>'


def fixed(name: str, parent: str, child: str, at: Iterable[float], turned: Triple = ZERO) -> str:
    """Return a joint that does not move."""
    return (
        f'  <joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/>'
        f"{_origin(at, turned)}</joint>"
    )


def revolute(
    name: str, parent: str, child: str, at: Iterable[float], axis: Iterable[float], limits: Range
) -> str:
    """Return a joint that turns about ``axis``."""
    return "\n".join(
        [
            f'  <joint name="{name}" type="revolute">',
            f'    <parent link="{parent}"/><child link="{child}"/>',
            f"    {_origin(at)}",
            f'    <axis xyz="{_triple(axis)}"/>',
            f'    <limit lower="{limits.lower:.6f}" upper="{limits.upper:.6f}"'
            f' velocity="{limits.max_speed:g}" effort="{limits.effort:g}"/>',
            '    <dynamics damping="0.01" friction="0.01"/>',
            "  </joint>",
        ]
    )


def robot(name: str, comment: str, colours: Mapping[str, Triple], parts: Iterable[str]) -> str:
    """Return the text of a URDF; ``colours`` has the RGB (0 to 1) of those of the shapes."""
    materials = [
        f'  <material name="{colour}"><color rgba="{_triple(rgb)} 1"/></material>'
        for colour, rgb in colours.items()
    ]
    head = ['<?xml version="1.0"?>', "<!--", comment, "-->", f'<robot name="{name}">']
    return "\n".join([*head, *materials, *parts, "</robot>", ""])


def _triple(values: Iterable[float]) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def _origin(at: Iterable[float], turned: Iterable[float] = ZERO) -> str:
    return f'<origin xyz="{_triple(at)}" rpy="{_triple(turned)}"/>'


def _visual(shape: Shape) -> str:
    return (
        f"    <visual>{_origin(shape.at, shape.turned)}<geometry>{shape.geometry()}</geometry>"
        f'<material name="{shape.colour}"/></visual>'
    )
