# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A study to begin with: an experiment file and its texts, which run as they are."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

PEOPLE = "people"
STUDIES = (PEOPLE, "singh_2016", "epartners")
"""Studies that can be written: one with people, a published one, and one of e-partners."""


def new_study(directory: Path, of: str = PEOPLE) -> list[Path]:
    """Write the files of a study into a directory, which is made; return their paths.

    ``of`` is one of :data:`STUDIES`. Raises ValueError for a directory that has files, and
    OSError.
    """
    if directory.exists() and any(directory.iterdir()):
        raise ValueError(f"{directory} has files: name a directory that is empty, or a new one")
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    template = files("bw4t_study.people").joinpath("study_template")
    template = template if of == PEOPLE else files("bw4t_study.studies")
    for file in template.iterdir():
        if file.name.endswith((".yaml", ".md", ".xml")) and file.name.startswith(
            "" if of == PEOPLE else of
        ):
            written.append(directory / file.name)
            written[-1].write_bytes(file.read_bytes())
    return sorted(written)
