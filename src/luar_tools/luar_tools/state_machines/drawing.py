# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Draw state machines: as DOT for graphviz, and as SVG without it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType

from luar_tools.state_machines.machine import Jump, StateMachine

NODE_WIDTH, NODE_HEIGHT = 128, 28
MARGIN = 90
_LABEL_AT = 0.36
"""Where on its way a transition has its events: the way back has them elsewhere."""
_STYLE = (
    "text{font-family:sans-serif;font-size:11px;text-anchor:middle;fill:#222}"
    ".machine{font-size:16px;font-weight:bold}"
    ".state rect{fill:#fff;stroke:#446;stroke-width:1.2}"
    ".initial rect{stroke-width:3}"
    ".alone rect{stroke-dasharray:2 3}"
    ".lit rect{fill:#d22;stroke:#811}.lit text{fill:#fff}"
    ".transition path{fill:none;stroke:#778;stroke-width:1}"
    ".transition text{font-size:9px;fill:#335;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".last path{stroke:#d22;stroke-width:2.5}"
    ".jump path{stroke-dasharray:5 4}"
)


def dot(
    machines: Sequence[StateMachine],
    lit: Collection[str] = (),
    last: Collection[tuple[str, str]] = (),
    titles: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return machines as one DOT graph, a cluster each; jumps are dashed.

    ``lit`` and ``last`` are as for svg, ``titles`` what is written above machines, by their role.
    """
    lines = ["digraph state_machines {", "  rankdir=LR;", "  node [shape=box,style=rounded];"]
    known = {(machine.role, state) for machine in machines for state in machine.states}
    for number, machine in enumerate(machines):
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_quoted(titles.get(machine.role, machine.name))};")
        for state in machine.states:
            look = ",penwidth=3" if state == machine.initial else ""
            look += ",style=filled,fillcolor=red,fontcolor=white" if state in lit else ""
            lines.append(f"    {_node(machine.role, state)} [label={_quoted(state)}{look}];")
        for (source, target), events in _ways(machine).items():
            label = _quoted(", ".join(events))
            ends = f"{_node(machine.role, source)} -> {_node(machine.role, target)}"
            look = ",color=red,penwidth=3" if (source, target) in last else ""
            lines.append(f"    {ends} [label={label}{look}];")
        lines.append("  }")
    for jump in _jumps(machines):
        if (jump.target_machine, jump.target) in known:
            source = _node(jump.machine, jump.state)
            target = _node(jump.target_machine, jump.target)
            label = _quoted(f"set_state in {jump.function or 'the file'}")
            lines.append(f"  {source} -> {target} [style=dashed,label={label}];")
    return "\n".join([*lines, "}", ""])


def _jumps(machines: Iterable[StateMachine]) -> list[Jump]:
    return list(dict.fromkeys(jump for machine in machines for jump in machine.jumps))


def _ways(machine: StateMachine) -> Mapping[tuple[str, str], list[str]]:
    """Return the events of each pair of states that has transitions."""
    found: dict[tuple[str, str], list[str]] = {}
    for t in machine.transitions:
        found.setdefault((t.source, t.target), []).append(t.event)
    return found


def _node(role: str, state: str) -> str:
    return _quoted(f"{role}.{state}")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


# --- SVG -----------------------------------------------------------------------------------


def svg(
    machines: Sequence[StateMachine],
    lit: Collection[str] = (),
    last: Collection[tuple[str, str]] = (),
) -> str:
    """Return machines as one SVG picture, below each other.

    ``lit`` are states that are drawn as present, ``last`` pairs of states whose transition is the
    last one. Each state is a group with the id MACHINE.STATE, each pair of states one with
    MACHINE.FROM.TO.
    """
    parts, top, width = [], 0.0, 0.0
    for machine in machines:
        picture, wide, high = _machine(machine, lit, last)
        parts.append(f'<g transform="translate(0 {top:.0f})">{picture}</g>')
        top, width = top + high, max(width, wide)
    size = f'width="{width:.0f}" height="{top:.0f}" viewBox="0 0 {width:.0f} {top:.0f}"'
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#778"/></marker></defs>'
    )
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>{arrow}'
    return begin + "".join(parts) + "</svg>\n"


def _machine(
    machine: StateMachine, lit: Collection[str], last: Collection[tuple[str, str]]
) -> tuple[str, float, float]:
    """Return a machine's picture, its width and its height: states on an ellipse."""
    states = list(dict.fromkeys([*machine.states, *machine.unknown]))
    radius = max(120.0, len(states) * 21.0)
    across = 1.5 * radius
    centre = (across + MARGIN, radius + MARGIN)
    at = {
        state: (
            centre[0] - across * math.cos(2 * math.pi * number / len(states)),
            centre[1] - radius * math.sin(2 * math.pi * number / len(states)),
        )
        for number, state in enumerate(states)
    }
    parts = [f'<text class="machine" x="{centre[0]:.0f}" y="24">{escape(machine.name)}</text>']
    role = machine.role
    for (source, target), events in _ways(machine).items():
        names = f"{role}.{source}.{target}"
        kind = "transition last" if (source, target) in last else "transition"
        parts.append(_way(names, kind, at[source], at[target], centre, ", ".join(events)))
    for jump in machine.jumps:
        if jump.target_machine == role and jump.target in at:
            names = f"{role}.{jump.state}.{jump.target}.set_state"
            ends = (at.get(jump.state, at[jump.target]), at[jump.target])
            parts.append(_way(names, "transition jump", *ends, centre, "set_state"))
    for state, (x, y) in at.items():
        kind = "state"
        kind += " initial" if state == machine.initial else ""
        kind += " alone" if state in machine.in_no_transition else ""
        kind += " lit" if state in lit else ""
        box = (
            f'x="{x - NODE_WIDTH / 2:.1f}" y="{y - NODE_HEIGHT / 2:.1f}" width="{NODE_WIDTH}" '
            f'height="{NODE_HEIGHT}" rx="8"'
        )
        label = f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(state)}</text>'
        name = escape(f"{role}.{state}")
        parts.append(f'<g class="{kind}" id="{name}"><rect {box}/>{label}</g>')
    return "".join(parts), 2 * centre[0], 2 * centre[1]


Place = tuple[float, float]


def _way(name: str, kind: str, begin: Place, end: Place, centre: Place, text: str) -> str:
    """Return the curve from a state to another, bent to its right, with its events."""
    if begin == end:
        x, y = begin
        up = -1.0 if y < centre[1] else 1.0
        edge = y + up * NODE_HEIGHT / 2
        path = f"M{x - 20:.1f} {edge:.1f}C{x - 40:.1f} {edge + up * 40:.1f} "
        path += f"{x + 40:.1f} {edge + up * 40:.1f} {x + 20:.1f} {edge:.1f}"
        place = (x, edge + up * 34)
    else:
        middle = (0.5 * (begin[0] + end[0]), 0.5 * (begin[1] + end[1]))
        along = (end[0] - begin[0], end[1] - begin[1])
        bend = (middle[0] - 0.12 * along[1], middle[1] + 0.12 * along[0])
        start, stop = _edge(begin, bend), _edge(end, bend)
        path = f"M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} "
        path += f"{stop[0]:.1f} {stop[1]:.1f}"
        t = _LABEL_AT
        place = (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * bend[0] + t**2 * stop[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * bend[1] + t**2 * stop[1],
        )
    label = f'<text x="{place[0]:.1f}" y="{place[1]:.1f}">{escape(text)}</text>'
    curve = f'<path d="{path}" marker-end="url(#arrow)"/>'
    return f'<g class="{kind}" id="{escape(name)}">{curve}{label}</g>'


def _edge(node: Place, towards: Place) -> Place:
    """Return where the line from a node to ``towards`` leaves the node's box."""
    dx, dy = towards[0] - node[0], towards[1] - node[1]
    across = NODE_WIDTH / 2 / abs(dx) if dx else math.inf
    up = NODE_HEIGHT / 2 / abs(dy) if dy else math.inf
    part = min(across, up, 1.0)
    return node[0] + part * dx, node[1] + part * dy
