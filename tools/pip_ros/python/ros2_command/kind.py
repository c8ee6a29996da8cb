# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What ``ros2 topic``, ``service`` and ``action`` have in common: names with their types."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from ros2_command.graph import Graph, NamesAndTypes, add_graph_arguments, open_graph
from ros2_command.verb import Result, Verb


@dataclass(frozen=True)
class Kind:
    """What a command is about."""

    word: str
    example: str
    """A name of this kind."""
    look: Callable[..., NamesAndTypes]
    """What a graph has of it; with ``hidden=False`` without the hidden ones."""

    def add_name(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of verbs for one name."""
        add_graph_arguments(parser)
        help_ = f"Name of the ROS {self.word} (e.g. '{self.example}')"
        parser.add_argument("name", metavar=f"{self.word}_name", help=help_)

    def find(
        self, args: argparse.Namespace, *, whole: bool = False
    ) -> tuple[Graph, str, list[str] | None]:
        """Wait for the name in the arguments; return it and its types, None where it is not.

        ``whole`` waits also for what belongs to it, which may still be on its way.
        """
        graph = open_graph(args)
        name = graph.full_name(args.name)
        graph.wait_for_discovery(lambda: name in dict(self.look(graph)))
        if whole:
            graph.wait_for_discovery()
        return graph, name, dict(self.look(graph)).get(name)

    def add_list_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the verb ``list``."""
        add_graph_arguments(parser)
        help_ = f"Additionally show the {self.word} type"
        parser.add_argument("-t", "--show-types", action="store_true", help=help_)
        add_count(parser, f"{self.word}s")

    def add_hidden(self, parser: argparse.ArgumentParser) -> None:
        """Add the argument that asks for hidden names too."""
        option, help_ = f"--include-hidden-{self.word}s", f"Consider hidden {self.word}s as well"
        parser.add_argument(option, dest="hidden", action="store_true", help=help_)

    def find_verb(self) -> Verb:
        """Return the verb that prints the names of a type."""

        def add_arguments(parser: argparse.ArgumentParser) -> None:
            add_graph_arguments(parser)
            filter_help = f"Name of the ROS {self.word} type to filter for"
            parser.add_argument("type", metavar=f"{self.word}_type", help=filter_help)
            add_count(parser, f"{self.word}s")
            self.add_hidden(parser)

        def main(args: argparse.Namespace) -> Result:
            graph = open_graph(args)
            graph.wait_for_discovery()
            found = self.look(graph, hidden=args.hidden)
            names = [name for name, types in found if args.type in types]
            print(len(names) if args.count else "\n".join(names))
            return 0

        return Verb(
            f"Output a list of available {self.word}s of a given type", add_arguments, main
        )

    def type_verb(self, help_: str) -> Verb:
        """Return the verb that prints the types of a name."""

        def main(args: argparse.Namespace) -> Result:
            _, _, types = self.find(args)
            for type_ in types or ():
                print(type_)
            return 0 if types else 1

        return Verb(help_, self.add_name, main)


def add_count(parser: argparse.ArgumentParser, things: str) -> None:
    """Add the argument that asks for the number of `things` instead of their names."""
    help_ = f"Only display the number of {things} discovered"
    parser.add_argument("-c", f"--count-{things}", dest="count", action="store_true", help=help_)


def print_names(found: NamesAndTypes, args: argparse.Namespace) -> Result:
    """Print names, with their types if asked for, or only their number."""
    if args.count:
        print(len(found))
    else:
        for name, types in found:
            print(f"{name} [{', '.join(types)}]" if args.show_types else name)
    return 0
