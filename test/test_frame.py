# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What stands around the code is complete and true: packages' pages, changelogs, hooks, CI."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from workspace import guests

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PACKAGES = guests.packages()
PAGES = [
    *sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("test/data/**/*.md")]),
    *(package / "README.md" for package in PACKAGES),
]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
CI = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))


def described(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=described)
def test_links_lead_somewhere(path):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target:
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_a_package_has_a_page_and_a_changelog(package):
    assert (package / "README.md").read_text(encoding="utf-8").startswith(f"# {package.name}\n")
    changelog = pytest.importorskip("catkin_pkg.changelog", reason="needs: pip install catkin_pkg")
    text = (package / "CHANGELOG.rst").read_text(encoding="utf-8")
    assert f"Changelog for package {package.name}\n" in text
    # As catkin_prepare_release does, so that bloom finds the version.
    released = text.replace("Forthcoming\n-----------", "0.1.0 (2026-11-22)\n------------------")
    parsed = changelog.populate_changelog_from_rst(changelog.Changelog(package.name), released)
    ((version, _, content),) = parsed.foreach_version()
    assert version == "0.1.0"
    assert content


def test_the_hooks_have_the_versions_of_the_tests():
    pins = (ROOT / "tools" / "pip_ros" / "requirements-test.txt").read_text(encoding="utf-8")
    hooks = {hook["id"]: hook for repository in HOOKS["repos"] for hook in repository["hooks"]}
    for name in ("ruff-check", "ruff-format", "codespell"):
        (pin,) = re.findall(rf"^{name.split('-')[0]}==.*$", pins, re.MULTILINE)
        assert pin in hooks[name]["additional_dependencies"]
    for hook in hooks.values():
        packages = [d for d in hook.get("additional_dependencies", ()) if d != "tomli"]
        assert all("==" in d or re.search(r".@[\d.]+$", d) for d in packages), hook["id"]


def test_ci_runs_what_is_here():
    axes = CI["jobs"]["wheels"]["strategy"]["matrix"]
    commands = {name: entry["command"] for entry in axes["include"] for name in [entry["package"]]}
    assert set(commands) == set(axes["package"])
    for package, command in commands.items():
        setup = (ROOT / "src" / package / "setup.py").read_text(encoding="utf-8")
        assert f'"{shlex.split(command)[0]}' in setup
    steps = [step.get("run", "") for job in CI["jobs"].values() for step in job["steps"]]
    for path in re.findall(r"(?:\.ci|docs|tools)/[\w./]+", " ".join(steps)):
        assert (ROOT / path).exists() or path.endswith("_build"), path
    assert any("rosdep install --from-paths src --ignore-src -y" in step for step in steps)


@pytest.mark.system
def test_nothing_that_is_ignored_is_kept():
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    kept = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if kept.returncode != 0:
        pytest.skip("needs a clone: git clone")
    assert not kept.stdout.split(), kept.stdout


def test_the_development_container_is_described():
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert (ROOT / ".devcontainer" / settings["build"]["dockerfile"]).is_file()


def test_the_commands_of_contributing_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    for line in blocks.splitlines():
        words = shlex.split(line, comments=True)
        for word in words:
            if word.startswith(("tools/", "src/", "docs/")) and not word.endswith("_build"):
                assert (ROOT / word).exists(), line
