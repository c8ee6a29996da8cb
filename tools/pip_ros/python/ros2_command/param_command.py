# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 param``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from typing import Any

from ros2_command.graph import Graph, add_graph_arguments, open_graph, spin
from ros2_command.node_command import visible_nodes
from ros2_command.ros import ros
from ros2_command.verb import CommandError, Result, Verb

_TYPES = {
    0: "not set",
    1: "boolean",
    2: "integer",
    3: "double",
    4: "string",
    5: "byte array",
    6: "boolean array",
    7: "integer array",
    8: "double array",
    9: "string array",
}
_ANSWER_SECONDS = 5.0


def _common(parser: argparse.ArgumentParser) -> None:
    add_graph_arguments(parser)
    parser.add_argument(
        "--include-hidden-nodes", action="store_true", help="Consider hidden nodes as well"
    )


def _node(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("node_name", help="Name of the ROS node")
    parser.add_argument(
        "--timeout",
        metavar="N",
        type=float,
        default=1.0,
        help="Wait for N seconds until node becomes available (default 1 sec)",
    )


class _Parameters:
    """The parameter services of one node."""

    def __init__(self, graph: Graph, node_name: str) -> None:
        self._graph = graph
        self.name = node_name

    @classmethod
    def of(cls, graph: Graph, args: argparse.Namespace) -> _Parameters:
        """Return those of the node in the arguments; CommandError if it does not appear."""
        name = graph.full_name(args.node_name)
        graph.wait_for_discovery(lambda: name in graph.nodes())
        if not graph.wait_for(lambda: name in graph.nodes(), getattr(args, "timeout", 0.0)):
            raise CommandError("Node not found")
        return cls(graph, name)

    def call(self, service: str, **fields: Any) -> Any:
        """Call one of the services and return its response."""
        type_name = "".join(word.capitalize() for word in service.split("_"))
        type_ = getattr(ros("rcl_interfaces.srv"), type_name)
        client = self._graph.node.create_client(type_, f"{self.name}/{service}")
        if not self._graph.wait_for(client.service_is_ready, _ANSWER_SECONDS):
            raise CommandError(
                f"Wait for service timed out: {self.name} has no parameter services"
            )
        future = client.call_async(type_.Request(**fields))
        if not spin(self._graph.node, future.done, _ANSWER_SECONDS):
            raise CommandError(f"The node {self.name} did not answer")
        return future.result()

    def names(self, prefixes: Iterable[str] = ()) -> list[str]:
        """Return the names of the parameters, sorted."""
        result = self.call("list_parameters", prefixes=list(prefixes)).result
        return sorted(result.names)

    def get(self, names: list[str]) -> list[Any]:
        """Return the values of parameters as message objects."""
        return list(self.call("get_parameters", names=names).values)


def _python_value(value: Any) -> Any:
    result = ros("rclpy.parameter").parameter_value_to_python(value)
    return list(result) if value.type > 4 else result


# list -----------------------------------------------------------------------------------------
def _list_arguments(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("node_name", nargs="?", help="Name of the ROS node")
    parser.add_argument(
        "--filter",
        help="Only parameters matching the regex expression will be showed. Supports `re` regex "
        "syntax.",
    )
    parser.add_argument(
        "--param-prefixes",
        nargs="+",
        default=[],
        help="Only list parameters with the provided prefixes",
    )
    parser.add_argument(
        "--param-type", action="store_true", help="Print parameter types with parameter names"
    )


def _list(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    if args.node_name is not None:
        _print_list(_Parameters.of(graph, args), args)
        return 0
    graph.wait_for_discovery()
    for name in visible_nodes(graph, hidden=args.include_hidden_nodes):
        services = dict(graph.services())
        if f"{name}/list_parameters" in services:
            print(f"{name}:")
            _print_list(_Parameters(graph, name), args)
    return 0


def _print_list(parameters: _Parameters, args: argparse.Namespace) -> None:
    names = parameters.names(args.param_prefixes)
    if args.filter:
        names = [name for name in names if re.match(args.filter, name)]
    if not args.param_type:
        for name in names:
            print(f"  {name}")
        return
    for name, value in zip(names, parameters.get(names), strict=True):
        print(f"  {name} (type: {_TYPES[value.type]})")


# get ------------------------------------------------------------------------------------------
def _get_arguments(parser: argparse.ArgumentParser) -> None:
    _node(parser)
    parser.add_argument("parameter_name", help="Name of the parameter")
    parser.add_argument("--hide-type", action="store_true", help="Hide the type information")


def _get(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    values = _Parameters.of(graph, args).get([args.parameter_name])
    if not values or values[0].type == 0:
        raise CommandError("Parameter not set")
    value = values[0]
    kind = _TYPES[value.type]
    label = (
        f"{kind.removesuffix(' array').capitalize()} values are:"
        if value.type > 4
        else f"{kind.capitalize()} value is:"
    )
    if args.hide_type:
        print(_python_value(value))
    else:
        print(label, _python_value(value))
    return 0


# set ------------------------------------------------------------------------------------------
def _set_arguments(parser: argparse.ArgumentParser) -> None:
    _node(parser)
    parser.add_argument("parameter_name", help="Name of the parameter")
    parser.add_argument("value", help="Value of the parameter")


def _set(args: argparse.Namespace) -> Result:
    value = ros("rclpy.parameter").get_parameter_value(args.value)
    parameter = ros("rcl_interfaces.msg").Parameter(name=args.parameter_name, value=value)
    graph = open_graph(args)
    response = _Parameters.of(graph, args).call("set_parameters", parameters=[parameter])
    (result,) = response.results
    reason = f": {result.reason}" if result.reason else ""
    if not result.successful:
        # Unlike the original, which returns 0, so that a script notices.
        raise CommandError(f"Setting parameter failed{reason}")
    print(f"Set parameter successful{reason}")
    return 0


# describe -------------------------------------------------------------------------------------
def _describe_arguments(parser: argparse.ArgumentParser) -> None:
    _node(parser)
    parser.add_argument("parameter_names", nargs="+", help="Names of the parameters")


def _describe(args: argparse.Namespace) -> Result:
    graph = open_graph(args)
    parameters = _Parameters.of(graph, args)
    known = set(parameters.names())
    unknown = [name for name in args.parameter_names if name not in known]
    names = [name for name in args.parameter_names if name in known]
    found = parameters.call("describe_parameters", names=names).descriptors if names else []
    for descriptor in found:
        _print_descriptor(descriptor)
    for name in unknown:
        print(f"Parameter '{name}' not set", file=sys.stderr)
    return 1 if unknown else 0


def _print_descriptor(descriptor: Any) -> None:
    print(f"Parameter name: {descriptor.name}")
    print(f"  Type: {_TYPES[descriptor.type]}")
    if descriptor.description:
        print(f"  Description: {descriptor.description}")
    print("  Constraints:")
    if descriptor.read_only:
        print("    Read only: true")
    for range_ in (*descriptor.floating_point_range, *descriptor.integer_range):
        print(f"    Min value: {range_.from_value}")
        print(f"    Max value: {range_.to_value}")
        if range_.step:
            print(f"    Step: {range_.step}")
    if descriptor.additional_constraints:
        print(f"    Additional constraints: {descriptor.additional_constraints}")


# dump -----------------------------------------------------------------------------------------
def _dump(args: argparse.Namespace) -> Result:
    import yaml

    graph = open_graph(args)
    parameters = _Parameters.of(graph, args)
    names = parameters.names()
    values = parameters.get(names)
    tree: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        if value.type == 0:
            continue
        *folders, leaf = name.split(".")
        branch = tree
        for folder in folders:
            branch = branch.setdefault(folder, {})
        branch[leaf] = _python_value(value)
    print(yaml.dump({parameters.name: {"ros__parameters": tree}}, default_flow_style=False))
    return 0


VERBS = {
    "describe": Verb(
        "Show descriptive information about declared parameters", _describe_arguments, _describe
    ),
    "dump": Verb("Show all of the parameters of a node in a YAML file format", _node, _dump),
    "get": Verb("Get parameter", _get_arguments, _get),
    "list": Verb("Output a list of available parameters", _list_arguments, _list),
    "set": Verb("Set parameter", _set_arguments, _set),
}
