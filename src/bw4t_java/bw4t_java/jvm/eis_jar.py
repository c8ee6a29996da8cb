# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes an environment jar for agent platforms with EIS: eis_jar EIS_JAR OUTPUT."""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
from importlib.resources import as_file, files
from pathlib import Path

from bw4t_java.jvm.compiler import JavaError, compiled

MAIN_CLASS = "legacyrobots.bw4t.Bw4tEnvironment"
MANIFEST = f"Manifest-Version: 1.0\r\nMain-Class: {MAIN_CLASS}\r\n\r\n"
"""Agent platforms find the environment by the main class."""


def version_of(eis: Path) -> str:
    """Return the folder of our sources for the EIS of a jar or a directory of classes.

    Raises JavaError for what is no EIS.
    """
    try:
        if eis.is_dir():
            names = {path.relative_to(eis).as_posix() for path in eis.rglob("*.class")}
        else:
            with zipfile.ZipFile(eis) as archive:
                names = set(archive.namelist())
    except (OSError, zipfile.BadZipFile) as error:
        raise JavaError(f"{eis} is no jar: {error}") from error
    if "eis/EnvironmentInterfaceStandard.class" not in names:
        raise JavaError(f"{eis} has no EIS: eis.EnvironmentInterfaceStandard is not in it")
    return "v0_7" if "eis/PerceptUpdate.class" in names else "v0_5"


def loader_version(eis: Path) -> str:
    """Return the version that the EIS's loader asks an environment for; empty: it has no loader.

    It is the one constant of the class ``eis.EILoader`` that looks like a version.
    """
    name = "eis/EILoader.class"
    try:
        if eis.is_dir():
            code = (eis / name).read_bytes()
        else:
            with zipfile.ZipFile(eis) as archive:
                code = archive.read(name)
    except (OSError, KeyError):
        return ""
    # A text in a class file: 1, its length in two bytes, its bytes.
    found = re.findall(rb"\x01\x00[\x03-\x0a](\d+(?:\.\d+)+)(?=[\x01-\x12])", code)
    return str(found[0].decode()) if len(found) == 1 else ""


def make_jar(eis: Path, output: Path) -> None:
    """Write the environment jar for the EIS of a jar; raises JavaError."""
    version = version_of(eis)
    with as_file(files("bw4t_java.jvm")) as root:
        folders = (root / "sources", root / "eis" / "common", root / "eis" / version)
        sources = [path for folder in folders for path in sorted(folder.rglob("*.java"))]
        classes = compiled(sources, (eis.resolve(),))
    try:
        with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("META-INF/MANIFEST.MF", MANIFEST)
            if asked := loader_version(eis):
                archive.writestr("legacyrobots/bw4t/eis_version", asked)
            for path in sorted(classes.rglob("*.class")):
                archive.write(path, path.relative_to(classes).as_posix())
    except OSError as error:
        raise JavaError(f"{output} cannot be written: {error}") from error


def main() -> None:
    """Make the jar that the arguments describe."""
    parser = argparse.ArgumentParser(prog="eis_jar", description=__doc__)
    parser.add_argument("eis", type=Path, help="the jar of the agent platform's EIS, 0.5 or 0.7")
    parser.add_argument("output", type=Path, help="the environment jar to write")
    arguments = parser.parse_args()
    try:
        make_jar(arguments.eis, arguments.output)
    except JavaError as error:
        sys.exit(f"eis_jar: {error}")
    sys.stdout.write(f"{arguments.output}: environment class {MAIN_CLASS}\n")
