# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Values and files of parameters."""

from __future__ import annotations

import os
import typing
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from launch._subset import missing_attribute
from launch.launch_context import LaunchContext
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.substitutions.logic import text_to_bool
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from launch_ros._file_substitutions import expand_text

__all__ = ["ParameterFile", "ParameterValue", "evaluate_value"]

_HINT = (
    "If the parameter is meant to be a string, try wrapping it in "
    "launch_ros.parameter_descriptions.ParameterValue(value, value_type=str)"
)
_SCALARS = (bool, int, float, str)


class ParameterValue:
    """A value whose type is given rather than read from its text as YAML.

    ``value_type`` is bool, int, float, str, or a List of one of these; None reads a text as YAML.
    """

    def __init__(self, value: Any, *, value_type: Any = None) -> None:
        if not (value_type is None or value_type in _SCALARS or _item_type(value_type)):
            raise TypeError(f"value_type {value_type!r} is no type of a ROS parameter")
        is_text = isinstance(value, (str, Substitution)) or _has_substitution(value)
        if value_type in _SCALARS and not is_text and type(value) is not value_type:
            raise TypeError(f"value='{value}' is not an instance of {value_type}")
        if value_type in (bool, int, float) and isinstance(value, str):
            raise TypeError(f"value='{value}' is not an instance of {value_type}")
        self.value = value
        self.value_type = value_type

    def evaluate(self, context: LaunchContext, name: str = "a parameter") -> Any:
        """Return the Python value.

        Raises:
            ValueError: The text does not name a value of the type.
            TypeError: As `evaluate_value`.

        """
        wanted = self.value_type
        if wanted is None:
            value = self.value
            return evaluate_value(context, name, value)
        if not (isinstance(self.value, (str, Substitution)) or _has_substitution(self.value)):
            return list(self.value) if _item_type(wanted) else self.value
        text = perform_substitutions(context, normalize_to_list_of_substitutions(self.value))
        if wanted is str:
            return text
        if wanted is bool:
            return text_to_bool(text)
        if wanted in (int, float):
            return wanted(text)
        item = _item_type(wanted)
        parsed = _parse_yaml(name, text)
        if not isinstance(parsed, list):
            raise ValueError(f"Cannot convert value '{text}' to a list of '{item}'")
        if not all(type(entry) is item for entry in parsed):
            raise ValueError(f"Cannot convert value '{text}' to a list of '{item}', got {parsed}")
        return parsed


class ParameterFile:
    """A YAML file with parameters; ``allow_substs`` expands ``$(var name)`` and the like in it."""

    def __init__(
        self,
        param_file: SomeSubstitutionsType | os.PathLike[str],
        *,
        allow_substs: bool | SomeSubstitutionsType = False,
    ) -> None:
        if isinstance(param_file, os.PathLike):
            param_file = os.fspath(param_file)
        if not isinstance(param_file, (str, Substitution, Iterable)):
            raise TypeError(f"a parameter file must be a path, but is {param_file!r}")
        self._file = normalize_to_list_of_substitutions(param_file)
        text = str(allow_substs) if isinstance(allow_substs, bool) else allow_substs
        self._allow_substs = normalize_to_list_of_substitutions(text)

    def evaluate(self, context: LaunchContext) -> Path:
        """Return the path of the file, or of a temporary one with the substitutions expanded."""
        path = Path(perform_substitutions(context, self._file))
        if not text_to_bool(perform_substitutions(context, self._allow_substs)):
            return path
        text = expand_text(context, path.read_text(encoding="utf-8"), str(path))
        return write_temporary(context, text)


def write_temporary(context: LaunchContext, text: str) -> Path:
    """Write `text` to a file that is removed when launch ends, and return its path."""
    folder = context.guardian.temporary_folder()
    path = folder / f"{len(list(folder.iterdir()))}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def evaluate_value(context: LaunchContext, name: str, value: Any) -> Any:
    """Return the Python value of a parameter as given in a launch file.

    A plain text stays a text. Something with substitutions is expanded and read as YAML, so that
    ``LaunchConfiguration("rate")`` with the value 5 is an int. A list is a list of values, except
    that a list with a substitution in it is one text in parts.

    Raises:
        TypeError: The value, or what its text means as YAML, is no type of a ROS parameter.

    """
    if isinstance(value, ParameterValue):
        return value.evaluate(context, name)
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, Substitution) or _has_substitution(value):
        text = perform_substitutions(context, normalize_to_list_of_substitutions(value))
        return _checked(name, _parse_yaml(name, text))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return _checked(name, [_evaluate_item(context, name, item) for item in value])
    raise TypeError(f"Unexpected type for parameter value {value!r} (of parameter {name!r})")


def _evaluate_item(context: LaunchContext, name: str, item: Any) -> Any:
    if isinstance(item, _SCALARS):
        return item
    if isinstance(item, (list, tuple)):
        text = perform_substitutions(context, normalize_to_list_of_substitutions(item))
        return _parse_yaml(name, text)
    raise TypeError(f"Unexpected type for an item of parameter {name!r}: {item!r}")


def _checked(name: str, value: Any) -> Any:
    """Return the value with numbers of a list made alike."""
    if isinstance(value, list):
        kinds = {type(item) for item in value}
        if kinds == {int, float}:
            return [float(item) for item in value]
        if len(kinds) != 1 or not kinds <= set(_SCALARS):
            raise TypeError(
                "Expected a non-empty sequence, with items of uniform type. Allowed sequence item "
                f'types are bool, int, float, str. Got inconsistent input {value!r} for "{name}"'
            )
    elif not isinstance(value, _SCALARS):
        raise TypeError(
            "Allowed value types are bool, int, float, str, Sequence[bool], Sequence[int], "
            f'Sequence[float], Sequence[str]. Got {type(value)} for "{name}". {_HINT}'
        )
    return value


def _has_substitution(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(
        isinstance(item, Substitution) for item in value
    )


def _item_type(value_type: Any) -> type | None:
    """Return the item type of List[...]."""
    if typing.get_origin(value_type) is list:
        (item,) = typing.get_args(value_type)
        if item in _SCALARS:
            return typing.cast(type, item)
    return None


def _parse_yaml(name: str, text: str) -> Any:
    import yaml

    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise TypeError(
            f"Unable to parse the value of parameter {name} as yaml: {text!r}. {_HINT}"
        ) from None
    return "" if text == "" else value


__getattr__ = missing_attribute(__name__)
