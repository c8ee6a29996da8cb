# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 node``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from ros2_command.graph import Graph, add_graph_arguments, is_hidden, open_graph
from ros2_command.kind import add_count
from ros2_command.ros import ros
from ros2_command.verb import CommandError, Result, Verb


def visible_nodes(graph: Graph, *, hidden: bool = False) -> list[str]:
    """Return the names of the nodes, without the hidden ones unless asked for."""
    return [name for name in graph.nodes() if hidden or not is_hidden(name)]


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument(
        "-a", "--all", action="store_true", help="Display all nodes even hidden ones"
    )
    add_count(parser, "nodes")


def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    nodes = visible_nodes(graph, hidden=args.all)
    if args.count:
        print(len(nodes))
        return 0
    if len(set(nodes)) < len(nodes):
        print(
            "WARNING: Be aware that there are nodes in the graph that share an exact name, which "
            "can have unintended side effects.",
            file=sys.stderr,
        )
    for name in nodes:
        print(name)
    return 0


def _info_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument("node_name", help="Node name to request information")
    parser.add_argument(
        "--include-hidden",
        action="store_true",
        help="Display hidden topics, services, and actions as well",
    )


def _info(args: argparse.Namespace) -> Result:
    action = ros("rclpy.action")
    graph = open_graph(args)
    graph.wait_for_discovery(lambda: args.node_name in graph.nodes())
    if args.node_name not in graph.nodes():
        raise CommandError(f"Unable to find node '{args.node_name}'")
    graph.wait_for_discovery()  # it is there; what belongs to it may still be on its way
    namespace, _, name = args.node_name.rpartition("/")
    node = graph.node
    sections: list[tuple[str, Callable[[str, str], Any]]] = [
        ("Subscribers", node.get_subscriber_names_and_types_by_node),
        ("Publishers", node.get_publisher_names_and_types_by_node),
        ("Service Servers", node.get_service_names_and_types_by_node),
        ("Service Clients", node.get_client_names_and_types_by_node),
        (
            "Action Servers",
            lambda *whose: action.get_action_server_names_and_types_by_node(node, *whose),
        ),
        (
            "Action Clients",
            lambda *whose: action.get_action_client_names_and_types_by_node(node, *whose),
        ),
    ]
    print(args.node_name)
    for title, look in sections:
        print(f"  {title}:")
        lines = [
            f"    {entry}: {', '.join(types)}"
            for entry, types in sorted(look(name, namespace or "/"))
            if args.include_hidden or not is_hidden(entry)
        ]
        print("\n".join(lines))
    return 0


VERBS = {
    "info": Verb("Output information about a node", _info_arguments, _info),
    "list": Verb("Output a list of available nodes", _list_arguments, _list),
}
