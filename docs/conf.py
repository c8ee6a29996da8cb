# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Sphinx: the manual, and the API of the public Python; tools/docs builds it, see CONTRIBUTING.md.

Neither ROS nor a built workspace is needed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
sys.path[:0] = [str(path.parent) for path in sorted(ROOT.glob("src/*/setup.py"))]
sys.path.insert(0, str(ROOT / "tools" / "pip_ros" / "python"))  # launch and launch_ros

project = "Legacy robots in ROS 2"
author = "Legacy Robots contributors"
copyright = author
release = "0.1.0"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["_build", "requirements.txt"]
html_theme = "furo"
html_title = project
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_use_index = False  # the search finds more, and the index is wider than its page
html_domain_indices = False
highlight_language = "sh"
html_search_scorer = str(DOCS / "search_scorer.js")
myst_heading_anchors = 4
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
suppress_warnings = [
    "ref.python",  # of annotations: "World" alone is ambiguous
    "misc.highlighting_failure",  # of examples with "..."
]

autodoc_default_options = {
    "members": True,
    "show-inheritance": True,
    "ignore-module-all": False,
}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# What is not on PyPI is replaced by placeholders: ROS, and the code that protoc generates.
autodoc_mock_imports = [
    "action_msgs", "ament_index_python", "builtin_interfaces", "control_msgs", "cv_bridge",
    "diagnostic_msgs", "domain_coordinator", "game_controller_spl_interfaces", "geometry_msgs",
    "legacy_robots_msgs", "lifecycle_msgs", "mcap", "nav2_msgs",
    "nav_msgs", "numba", "py_trees", "pygame", "pytest", "ray", "rcl_interfaces", "rclpy",
    "roboskate_game.protocol.communication_pb2", "rosgraph_msgs", "sb3_contrib", "selenium",
    "sensor_msgs", "serial", "soccer_geometry_msgs", "soccer_model_msgs", "soccer_vision_2d_msgs",
    "soccer_vision_3d_msgs", "soccer_vision_attribute_msgs", "stable_baselines3", "std_msgs",
    "std_srvs", "tf2_msgs", "torch", "trajectory_msgs", "type_description_interfaces",
    "unique_identifier_msgs", "vision_msgs", "visualization_msgs",
]  # fmt: skip

PAGES_OF_THE_ROOT = {
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "QUALITY_DECLARATION.md": "quality",
    "SECURITY.md": "security",
}
"""What a code host shows beside the README: pages of the site, below project/."""
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:)([^)#\s]+)(#[\w-]+)?\)")
CODE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


def _public_modules():
    """Return the modules that docs/python_api.md declares public."""
    page = (DOCS / "python_api.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([a-z_.0-9]+)` \|", page, re.MULTILINE)


def _write_api(app):
    """Write a page for each public module into docs/api/, which git ignores."""
    folder = DOCS / "api"
    folder.mkdir(exist_ok=True)
    wanted = {}
    for module in _public_modules():
        title = module.replace("_", r"\_")
        line = "=" * len(title)
        wanted[f"{module}.rst"] = f"{title}\n{line}\n\n.. automodule:: {module}\n"
    for path in folder.glob("*.rst"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _write_project(app):
    """Write an empty page into docs/project/, which git ignores, for each of the root's."""
    for page in PAGES_OF_THE_ROOT.values():
        path = DOCS / "project" / f"{page}.md"
        path.parent.mkdir(exist_ok=True)
        path.touch()


def _read(app, name, source):
    """Fill the pages of project/, and lead links to files of the repository to the site's pages.

    Links to other files become downloads by themselves. What cannot be downloaded becomes text.
    """
    here = (DOCS / name).parent
    if name.startswith("project/"):
        here = ROOT
        file = next(k for k, v in PAGES_OF_THE_ROOT.items() if v == name.split("/")[1])
        source[0] = (ROOT / file).read_text(encoding="utf-8")

    def link(found):
        target = (here / found[2]).resolve()
        anchor = found[3] or ""
        if target.parent == ROOT and target.name in PAGES_OF_THE_ROOT:
            return f"[{found[1]}](/project/{PAGES_OF_THE_ROOT[target.name]}.md{anchor})"
        if target.is_relative_to(DOCS) and target.is_file():
            return f"[{found[1]}](/{target.relative_to(DOCS)}{anchor})"
        if target.is_file() and target.suffix not in ("", ".md"):
            depth = "../" * (name.count("/") + 1)
            return f"[{found[1]}]({depth}{target.relative_to(ROOT)})"
        return found[1]

    text = source[0]
    kept = [found.group() for found in CODE.finditer(text)]
    parts = [LINK.sub(link, part) for part in CODE.split(text)]
    source[0] = "".join(a + b for a, b in zip(parts, [*kept, ""], strict=True))


def setup(app):
    """Connect what makes the files of a code host pages of the site."""
    app.connect("builder-inited", _write_api)
    app.connect("builder-inited", _write_project)
    app.connect("source-read", _read)
