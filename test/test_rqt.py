# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The rqt perspectives: what rqt imports, plugins that exist, and names that are on our graph."""

import ast
import importlib
import json
import os
import re
from pathlib import Path

import pytest
import yaml
from launch.logging import get_logger

from launch import LaunchContext
from legacy_robots_launch.views import AdaptedPerspective, adapted_perspective

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
# Plugin of a package of Jazzy, by its plugin.xml: its settings that name topics or services.
PLUGINS = {
    "rqt_image_view/ImageView": ("topic",),
    "rqt_plot/Plot": ("topics",),
    "rqt_robot_steering/RobotSteering": ("topic",),
    "rqt_runtime_monitor/RuntimeMonitor": (),
    "rqt_service_caller/ServiceCaller": ("current_service_name",),
    "rqt_topic/TopicPlugin": (),
}
OTHER_SETTINGS = {
    "rqt_plot/Plot": {"autoscroll", "plot_type"},
    "rqt_robot_steering/RobotSteering": {"stamped", "vx_max", "vx_min", "vw_max", "vw_min"},
}


def imported(value):
    """Return a setting as rqt's perspective manager does, with bytes for a QByteArray."""
    if value["type"] == "repr":
        return ast.literal_eval(value["repr"])
    assert value["type"] == "repr(QByteArray.hex)"
    text = re.fullmatch(r"QtCore\.QByteArray\((b'[0-9a-f]*')\)", value["repr(QByteArray.hex)"])
    return bytes.fromhex(ast.literal_eval(text[1]).decode())


def settings_of(group):
    """Return a group as a dictionary: its settings, and its groups by name with a slash."""
    assert group.keys() == {"keys", "groups"}
    return {
        **{key: imported(value) for key, value in group["keys"].items()},
        **{f"{name}/": settings_of(sub) for name, sub in group["groups"].items()},
    }


def path_of(name):
    return ROOT / "config" / "rqt" / f"{name}.perspective"


def read(name):
    return settings_of(json.loads(path_of(name).read_text(encoding="utf-8")))


def adapted(name, missing=(), other=None, stamped=False):
    """Return a perspective as launch writes it where the packages ``missing`` are."""
    text = adapted_perspective(
        path_of(name),
        namespaces=(f"/{name}", other or f"/{name}"),
        why_unusable=lambda plugin: "gone" if plugin.split("/")[0] in missing else "",
        is_stamped=stamped,
    )
    return settings_of(json.loads(text))


@pytest.fixture
def perspective(system):
    return read(system.name)


def instances(perspective):
    """Yield plugin, number and settings of each plugin that runs in a perspective."""
    manager = perspective["pluginmanager/"]
    for plugin, numbers in manager["running-plugins"].items():
        for number in numbers:
            group = manager[f"plugin__{plugin.replace('/', '__')}__{number}/"]
            yield plugin, number, group["plugin/"]


def names_in(plugin, settings):
    for key in PLUGINS[plugin]:
        value = settings[key]
        yield from [value] if isinstance(value, str) else value


def fits(message_class, path):
    """Whether a path such as pose/position/x or position[0] leads to a number."""
    for step in path.split("/"):
        field, index = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", step).groups()
        kinds = message_class.get_fields_and_field_types()
        if field not in kinds:
            return False
        kind = kinds[field]
        if index is not None:
            kind = re.fullmatch(r"sequence<(.+)>|(.+)\[\d+\]", kind)[1]
        if "/" in kind:
            package, name = kind.split("/")
            message_class = getattr(importlib.import_module(f"{package}.msg"), name)
        else:
            message_class = None
    return message_class is None


def test_every_plugin_exists_and_has_the_settings_that_it_reads(perspective):
    running = list(instances(perspective))
    assert {"rqt_topic/TopicPlugin", "rqt_runtime_monitor/RuntimeMonitor"} <= {
        p for p, _, _ in running
    }
    for plugin, _, settings in running:
        assert plugin in PLUGINS
        assert settings.keys() == {*PLUGINS[plugin], *OTHER_SETTINGS.get(plugin, ())}
    groups = [key for key in perspective["pluginmanager/"] if key.endswith("/")]
    assert len(groups) == len(running), "a plugin has settings but does not run"


def test_the_layout_is_qt_s_and_has_a_place_for_each_plugin(perspective):
    window = perspective["mainwindow/"]
    assert window["geometry"].startswith(bytes.fromhex("01d9d0cb")), "no QWidget.saveGeometry"
    state = window["state"]
    assert state.startswith(bytes.fromhex("000000ff")), "no QMainWindow.saveState"
    for plugin, number, _ in instances(perspective):
        dock = f"{plugin.replace('/', '__')}__{number}__"
        assert dock.encode("utf-16-be") in state


def test_every_name_is_on_the_graph_with_the_type_that_the_plugin_shows(system, perspective):
    interface = system.interface()
    for plugin, _, settings in instances(perspective):
        for name in names_in(plugin, settings):
            assert name.startswith(f"/{system.name}/"), name
            relative = system.generic(name.removeprefix(f"/{system.name}/"))
            if plugin == "rqt_plot/Plot":
                topic = max((t for t in interface if relative.startswith(f"{t}/")), key=len)
                kind, type_name = interface[topic]
                assert kind == "topic", f"{topic}: a plot gets no latched message"
                package, _, message = type_name.split("/")
                message_class = getattr(importlib.import_module(f"{package}.msg"), message)
                assert fits(message_class, relative.removeprefix(f"{topic}/")), name
                continue
            kind, type_name = interface[relative]
            assert (kind, type_name) in {
                "rqt_image_view/ImageView": {("topic", "sensor_msgs/msg/Image")},
                "rqt_robot_steering/RobotSteering": {("subscription", "geometry_msgs/msg/Twist")},
                "rqt_service_caller/ServiceCaller": {("service", type_name)},
            }[plugin]


def test_the_dog_is_steered_within_its_limits():
    text = (ROOT / "config" / "aibo.yaml").read_text(encoding="utf-8")
    limits = yaml.safe_load(text)["/**/bridge"]["ros__parameters"]
    (steering,) = [s for p, _, s in instances(read("aibo")) if p.startswith("rqt_robot_steering")]
    assert (steering["vx_max"], steering["vx_min"]) == (
        limits["max_forward"],
        -limits["max_forward"],
    )
    assert (steering["vw_max"], steering["vw_min"]) == (limits["max_turn"], -limits["max_turn"])


def test_the_page_and_the_packages_name_what_is_used(perspective, system):
    page = (ROOT / "docs" / "rqt.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{system.name}` |")]
    manifest = (ROOT / "src" / "legacy_robots_viz" / "package.xml").read_text(encoding="utf-8")
    for plugin, _, settings in instances(perspective):
        assert f"<exec_depend>{plugin.split('/')[0]}</exec_depend>" in manifest
        for name in names_in(plugin, settings):
            assert f"`{name}`" in row or re.sub(r"\[\d+\]", "", name) in row


def test_launch_writes_it_without_what_is_not_installed(system, perspective):
    assert adapted(system.name) == perspective
    missing = next(iter(perspective["pluginmanager/"]["running-plugins"])).split("/")[0]
    left = {plugin for plugin, _, _ in instances(adapted(system.name, missing=[missing]))}
    assert left == {p for p, _, _ in instances(perspective) if p.split("/")[0] != missing}


def test_launch_writes_it_for_another_namespace(system, perspective):
    for (plugin, _, before), (_, _, after) in zip(
        instances(perspective), instances(adapted(system.name, other="/b")), strict=True
    ):
        names = list(names_in(plugin, before))
        moved = [name.replace(f"/{system.name}/", "/b/") for name in names]
        assert list(names_in(plugin, after)) == moved


@pytest.mark.parametrize("stamped", [False, True])
def test_the_steering_panel_sends_what_the_bridge_takes(stamped):
    perspective = adapted("aibo", stamped=stamped)
    (steering,) = [s for p, _, s in instances(perspective) if p.startswith("rqt_robot_steering")]
    # A text: rqt compares what it has stored with 'true'.
    assert steering["stamped"] == str(stamped).lower()


PLUGIN = """<library path="src"><class name="{name}" type="{module}.Plugin"
base_class_type="rqt_gui_{kind}::Plugin"/></library>"""


def test_a_plugin_that_fails_to_import_is_left_out_with_its_reason(tmp_path, monkeypatch):
    running = read("nao")["pluginmanager/"]["running-plugins"]
    broken, native = "rqt_plot/Plot", "rqt_service_caller/ServiceCaller"
    assert {broken, native} < running.keys()
    for plugin in running:
        package, name = plugin.split("/")
        share, code = tmp_path / "share" / package, tmp_path / package
        for directory in (share, code, tmp_path / "share/ament_index/resource_index/packages"):
            directory.mkdir(parents=True, exist_ok=True)
        (tmp_path / "share/ament_index/resource_index/packages" / package).touch()
        (code / "__init__.py").touch()
        kind, module = ("cpp", "no.module") if plugin == native else ("py", f"{package}.it")
        (share / "plugin.xml").write_text(PLUGIN.format(name=name, module=module, kind=kind))
        (code / "it.py").write_text("import no_such_module" if plugin == broken else "")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    warnings = []
    monkeypatch.setattr(
        get_logger("launch"), "warning", lambda text, *a: warnings.append(text % a)
    )
    path = AdaptedPerspective(str(path_of("nao")), namespace="/nao").perform(LaunchContext())
    written = settings_of(json.loads(Path(path).read_text(encoding="utf-8")))
    assert written["pluginmanager/"]["running-plugins"].keys() == running.keys() - {broken}
    (warning,) = warnings
    assert warning.startswith(f"rqt opens without {broken}: ")
    assert "no_such_module" in warning
