# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What every robot's file is, beyond what the tests of its bridge say of it."""

from xml.etree import ElementTree

import pytest

from legacy_robots_description import urdf

ROBOTS = ("ers7", "nao", "roboskate")


@pytest.mark.parametrize("robot", ROBOTS)
def test_links_are_a_tree_and_have_only_colours_that_are_there(robot: str) -> None:
    root = ElementTree.fromstring(urdf(robot))
    links = [element.attrib["name"] for element in root.iterfind("link")]
    children = [element.attrib["link"] for element in root.iterfind("joint/child")]
    assert len(links) == len(set(links)) == len(children) + 1
    assert set(children) < set(links)
    colours = {element.attrib["name"] for element in root.iterfind("material")}
    assert {e.attrib["name"] for e in root.iterfind("link/visual/material")} <= colours


def test_a_robot_without_a_file() -> None:
    with pytest.raises(FileNotFoundError, match="toaster"):
        urdf("toaster")
