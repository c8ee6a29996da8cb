# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 service``."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from ros2_command.graph import Graph, open_graph, spin
from ros2_command.kind import Kind, print_names
from ros2_command.messages import fill, load_interface, read_dictionary
from ros2_command.topic_pub import positive
from ros2_command.verb import CommandError, Result, Verb

_SERVICE = Kind("service", "/talker/list_parameters", Graph.services)


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    _SERVICE.add_list_arguments(parser)
    _SERVICE.add_hidden(parser)


def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    graph.wait_for_discovery()
    own = f"{graph.node.get_fully_qualified_name()}/"
    services = [
        (name, types)
        for name, types in graph.services(hidden=args.hidden)
        if not name.startswith(own)
    ]
    return print_names(services, args)


def _info(args: argparse.Namespace) -> Result:
    graph, name, types = _SERVICE.find(args, whole=True)
    if types is None:
        raise CommandError(f"Unknown service '{args.name}'")
    print("Type:", types[0] if len(types) == 1 else types)
    print("Clients count:", graph.node.count_clients(name))
    print("Services count:", graph.node.count_services(name))
    return 0


def _call_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "service_name", help="Name of the ROS service to call to (e.g. '/add_two_ints')"
    )
    parser.add_argument("service_type", help="Type of the ROS service (e.g. 'std_srvs/srv/Empty')")
    values = parser.add_mutually_exclusive_group()
    values.add_argument(
        "values",
        nargs="?",
        default="",
        help="Values to fill the service request with in YAML format (e.g. '{a: 1, b: 2}'), "
        "otherwise the service request will be published with default values",
    )
    values.add_argument("--stdin", action="store_true", help="Read values from standard input")
    parser.add_argument(
        "-r", "--rate", metavar="N", type=positive, help="Repeat the call at a specific rate in Hz"
    )


def _call(args: argparse.Namespace) -> Result:
    type_ = load_interface(args.service_type, "srv")
    request = type_.Request()
    stamps = fill(request, read_dictionary(sys.stdin.read() if args.stdin else args.values))
    graph = open_graph(args)
    node = graph.node
    client = node.create_client(type_, graph.full_name(args.service_name))
    if not client.service_is_ready():
        print("waiting for service to become available...")
        graph.wait_for(client.service_is_ready, None)
    # The server drops the answer to a client that it has not discovered yet.
    graph.wait_for_discovery()
    due = time.monotonic()
    while True:
        for stamp in stamps:
            now = node.get_clock().now().to_msg()
            stamp.sec, stamp.nanosec = now.sec, now.nanosec
        print(f"requester: making request: {request!r}\n")
        future: Any = client.call_async(request)
        spin(node, future.done)
        print(f"response:\n{future.result()!r}\n")
        if args.rate is None:
            return 0
        due += 1.0 / args.rate
        time.sleep(max(0.0, due - time.monotonic()))


VERBS = {
    "call": Verb("Call a service", _call_arguments, _call),
    "find": _SERVICE.find_verb(),
    "info": Verb("Print information about a service", _SERVICE.add_name, _info),
    "list": Verb("Output a list of available services", _list_arguments, _list),
    "type": _SERVICE.type_verb("Output a service's type"),
}
