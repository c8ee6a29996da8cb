# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 topic``."""

from __future__ import annotations

import argparse

from ros2_command.graph import Graph, open_graph
from ros2_command.kind import Kind, print_names
from ros2_command.topic_echo import ECHO
from ros2_command.topic_pub import PUB
from ros2_command.topic_rate import BW, DELAY, HZ
from ros2_command.verb import CommandError, Result, Verb

_TOPIC = Kind("topic", "/chatter", Graph.topics)


# list -----------------------------------------------------------------------------------------
def _list_arguments(parser: argparse.ArgumentParser) -> None:
    _TOPIC.add_list_arguments(parser)
    _TOPIC.add_hidden(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="List full details about each topic"
    )


def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    topics = graph.topics(hidden=args.hidden)
    if args.count or not args.verbose:
        return print_names(topics, args)
    _print_verbose(graph, topics)
    return 0


def _print_verbose(graph: Graph, topics: list[tuple[str, list[str]]]) -> None:
    for title, word, count in (
        ("Published topics:", "publisher", graph.node.count_publishers),
        ("Subscribed topics:", "subscriber", graph.node.count_subscribers),
    ):
        print(title)
        for name, types in topics:
            number = count(name)
            if number:
                plural = "s" if number > 1 else ""
                print(f" * {name} [{', '.join(types)}] {number} {word}{plural}")
        print()


# info -----------------------------------------------------------------------------------------
def _info_arguments(parser: argparse.ArgumentParser) -> None:
    _TOPIC.add_name(parser)
    parser.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="Prints detailed information like the node name, node namespace, topic type, topic "
        "type hash, GUID, and QoS Profile of the publishers and subscribers to this topic",
    )


def _info(args: argparse.Namespace) -> Result:
    graph, name, types = _TOPIC.find(args, whole=True)
    if types is None:
        raise CommandError(f"Unknown topic '{args.name}'")
    end = "\n\n" if args.verbose else "\n"
    print("Type:", types[0] if len(types) == 1 else types, end=end)
    node = graph.node
    print("Publisher count:", node.count_publishers(name), end=end)
    if args.verbose:
        for info in node.get_publishers_info_by_topic(name):
            print(info, end="\n\n")
    print("Subscription count:", node.count_subscribers(name), end=end)
    if args.verbose:
        for info in node.get_subscriptions_info_by_topic(name):
            print(info, end="\n\n")
    return 0


VERBS = {
    "bw": BW,
    "delay": DELAY,
    "echo": ECHO,
    "find": _TOPIC.find_verb(),
    "hz": HZ,
    "info": Verb("Print information about a topic", _info_arguments, _info),
    "list": Verb("Output a list of available topics", _list_arguments, _list),
    "pub": PUB,
    "type": _TOPIC.type_verb("Print a topic's type"),
}
