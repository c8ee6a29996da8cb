# SPDX-License-Identifier: Apache-2.0
"""``ros2 topic``."""

from __future__ import annotations

import argparse

from ros2_command.graph import Graph, add_graph_arguments, open_graph
from ros2_command.topic_echo import ECHO
from ros2_command.topic_pub import PUB
from ros2_command.topic_rate import BW, DELAY, HZ
from ros2_command.verb import CommandError, Result, Verb


def _topic(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument("topic_name", help="Name of the ROS topic (e.g. '/chatter')")


def _add_list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-c",
        "--count-topics",
        action="store_true",
        help="Only display the number of topics discovered",
    )
    parser.add_argument(
        "--include-hidden-topics", action="store_true", help="Consider hidden topics as well"
    )


# list -----------------------------------------------------------------------------------------
def _list_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument(
        "-t", "--show-types", action="store_true", help="Additionally show the topic type"
    )
    _add_list_options(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="List full details about each topic"
    )


def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    topics = graph.topics(hidden=args.include_hidden_topics)
    if args.count_topics:
        print(len(topics))
    elif args.verbose:
        _print_verbose(graph, topics)
    else:
        for name, types in topics:
            print(f"{name} [{', '.join(types)}]" if args.show_types else name)
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
    _topic(parser)
    parser.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="Prints detailed information like the node name, node namespace, topic type, topic "
        "type hash, GUID, and QoS Profile of the publishers and subscribers to this topic",
    )


def _info(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    name = graph.full_name(args.topic_name)
    graph.wait_for_discovery(lambda: name in dict(graph.topics(hidden=True)))
    graph.wait_for_discovery()  # it is there; what else belongs to it may still be on its way
    types = dict(graph.topics(hidden=True)).get(name)
    if types is None:
        raise CommandError(f"Unknown topic '{args.topic_name}'")
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


# type, find -----------------------------------------------------------------------------------
def _type(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    name = graph.full_name(args.topic_name)
    graph.wait_for_discovery(lambda: name in dict(graph.topics(hidden=True)))
    types = dict(graph.topics(hidden=True)).get(name, [])
    for type_ in types:
        print(type_)
    return 0 if types else 1


def _find_arguments(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument("topic_type", help="Name of the ROS topic type to filter for")
    _add_list_options(parser)


def _find(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    found = [
        name
        for name, types in graph.topics(hidden=args.include_hidden_topics)
        if args.topic_type in types
    ]
    print(len(found) if args.count_topics else "\n".join(found))
    return 0


VERBS = {
    "bw": BW,
    "delay": DELAY,
    "echo": ECHO,
    "find": Verb("Output a list of available topics of a given type", _find_arguments, _find),
    "hz": HZ,
    "info": Verb("Print information about a topic", _info_arguments, _info),
    "list": Verb("Output a list of available topics", _list_arguments, _list),
    "pub": PUB,
    "type": Verb("Print a topic's type", _topic, _type),
}
