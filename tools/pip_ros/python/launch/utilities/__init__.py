# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Helpers for texts that may contain substitutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from launch._subset import missing_attribute
from launch._text_substitution import TextSubstitution
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution

__all__ = [
    "describe_substitutions",
    "normalize_to_list_of_entities",
    "normalize_to_list_of_substitutions",
    "perform_substitutions",
]


def normalize_to_list_of_substitutions(subs: SomeSubstitutionsType) -> list[Substitution]:
    """Return `subs` as a list of substitutions.

    Raises:
        TypeError: An item is neither a string nor a substitution.

    """
    if isinstance(subs, str):
        return [TextSubstitution(text=subs)]
    if isinstance(subs, Substitution):
        return [subs]
    result: list[Substitution] = []
    for item in subs:
        if isinstance(item, str):
            result.append(TextSubstitution(text=item))
        elif isinstance(item, Substitution):
            result.append(item)
        else:
            raise TypeError(
                f"Failed to normalize given item of type '{type(item)}', when only 'str' or "
                "'launch.Substitution' were expected."
            )
    return result


def perform_substitutions(context: LaunchContext, subs: Sequence[Substitution]) -> str:
    """Return the joined texts of `subs`."""
    return "".join(context.perform_substitution(sub) for sub in subs)


def describe_substitutions(subs: Sequence[Substitution]) -> str:
    """Return how `subs` are shown by ``ros2 launch --show-args``."""
    return " + ".join(sub.describe() for sub in subs)


def normalize_to_list_of_entities(
    entities: LaunchDescriptionEntity | Iterable[LaunchDescriptionEntity] | None,
) -> list[LaunchDescriptionEntity]:
    """Return one entity, several or none as a flat list.

    Raises:
        TypeError: Something in it is no launch entity.

    """
    if entities is None:
        return []
    if isinstance(entities, LaunchDescriptionEntity):
        return [entities]
    if not isinstance(entities, Iterable):
        raise TypeError(f"expected launch actions, but got {entities!r}")
    flat: list[LaunchDescriptionEntity] = []
    for item in entities:
        flat += normalize_to_list_of_entities(item)
    return flat


__getattr__ = missing_attribute(__name__)
