# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, with systems at their fullest: texts apart, targets for fingers.

Without a graph: what the readers of topics make of the bridges' drawings is shown to the page.
"""

from __future__ import annotations

import threading

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("selenium")

import cv2
import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import MarkerArray

from legacy_robots_testing import browser
from legacy_robots_testing.polling import until
from legacy_robots_view.hub import ViewHub
from legacy_robots_view.node import STATIC
from legacy_robots_view.pictures import ImagePicture, StatePicture
from legacy_robots_view.systems import bw4t, kinds, luar, nao
from legacy_robots_view.view_parameters import Parameters
from legacy_robots_web import ServerThread, names_loopback, page_app

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(120),
    pytest.mark.skipif(bool(browser.missing()), reason=browser.missing()),
]

TIMEOUT_S = 60.0
SIZES = ((1280, 800), (390, 844))
KINDS = kinds(Parameters())
TITLES = {kind.name: (kind.title, order) for order, kind in enumerate(KINDS)}


def system(namespace, kind, data, *, group="", status="connected", **more):
    """Return the state of a system with what was read from its topics."""
    title, order = TITLES[kind]
    state = {
        f"system {namespace}": {
            "kind": kind, "title": title, "order": order, "group": group or namespace,
            "status": status, "since": 1.0, "detail": "as it is, and in many words", **more,
        }
    }  # fmt: skip
    for topic, fields in data.items():
        topics = {"rate": 29.9, "stream": True, "at": 9.0, "fresh": True, "problem": None}
        state[f"topic {namespace} {topic}"] = {**topics, "camera": fields is None}
        if fields is not None:
            state[f"data {namespace} {topic}"] = fields
    return state


def blocks_world():
    """Return eight robots where they begin, and when all have run to one room."""
    from bw4t_bridge.bridge.markers import world_markers
    from bw4t_bridge.bridge.team_conversions import map_message
    from bw4t_world import World
    from bw4t_world.maps import load_map
    from bw4t_world.scenarios import BotSpec, Scenario

    world = World(load_map("nine_rooms_random"), Scenario(bots=(BotSpec(amount=8),)), seed=1)
    task = {"sequence": ["Blue"] * 9, "index": 2, "done": False, "seconds": 83, "wrong": 3}
    found = []
    for room in ("", "RoomA1"):
        if room:
            for number in range(1, 9):
                world.act(f"Bot_{number}", "goTo", room)
            for _ in range(400):
                world.tick()
        shown = world.snapshot()
        data = {
            "map": bw4t.world_map(map_message(shown, Header())),
            "markers": bw4t.drawing(MarkerArray(markers=world_markers(shown, Header()))),
            "task": task,
            "world_state": {"paused": False, "speed": 1.0, "map": "", "run": 1},
        }
        found.append(system("/bw4t", "bw4t", data, page="http://127.0.0.1:1/"))
    return found


def maze():
    """Return a Nao that carries one thing beside another."""
    from nao_goal_bridge.bridge import conversions
    from nao_goal_bridge.model.room_map import load_room_map

    data = {
        "rooms": nao.rooms(conversions.rooms(load_room_map(), Header())),
        "location": {"room": 124, "valid": True},
        "state": {"state": "walking", "valid": True},
        "held_object": {"object": 12, "valid": True},
        "dropped": {"object": 3, "stamp": 1.0},
        "markers": {"seen": [117, 112]},
    }
    return system("/nao", "nao", data)


def match(players):
    """Return a team of Luar's robots, all in one corner, each with two cameras."""
    from luar_bridge.bridge.markers import field_markers

    states = {}
    for number in range(1, players + 1):
        data = {
            "field": luar.field(field_markers(Header())),
            "pose": {"at": [-3.0 + 0.05 * number, 1.9, 0.0], "variance": [0.1, 0.1, 0.0]},
            "ball": {"at": [1.0, 0.0]},
            "team": {"player": number, "color": "red", "role": "", "valid": True},
            "behaviour": {"machines": [], "transitions": []},
            "image_top": None,
            "image_bottom": None,
        }
        states |= system(f"/luar/player_{number}", "luar", data, group="/luar")
    return states


def others():
    return {
        **system("/roboskate", "roboskate", {
            "odom": {"at": [-139.4, -100.0, 0.1], "heading": 0.0, "speed": 12.5},
            "camera/image_raw/compressed": None,
        }),
        **system("/aibo", "aibo", {
            "ball/pink": {"visible": False, "image": None, "direction": None, "azimuth": None},
            "battery": {"charge": 0.85},
        }),
        "system /lost": {**system("/nao2", "nao", {})["system /nao2"], "status": "fault",
                         "group": "/lost"},
    }  # fmt: skip


class Hub(ViewHub):
    """Knows which state a page has drawn."""

    def __init__(self):
        super().__init__(lambda _: self.entered.set())
        self.entered, self.drawn, self.number = threading.Event(), threading.Event(), 0

    async def receive(self, client, text):
        await super().receive(client, text)
        if text == f'{{"seen":{self.number}}}':
            self.drawn.set()

    def present(self, state, images):
        self.number += 1
        self.drawn.clear()
        for image in images:
            self.show_image(image)
        self.show(StatePicture(self.number, {"clock": {"now": 10.0}, **state}))


class Page:
    def __init__(self, tmp_path):
        files = {f"/kinds/{kind.name}.js": kind.script for kind in KINDS}
        self.hub = Hub()
        self.server = ServerThread(
            lambda: page_app(
                lambda: self.hub, STATIC, names_loopback, requests_per_second=1000.0, files=files
            ),
            port=0,
        )
        self.server.start()
        self.driver = browser.open_browser(tmp_path, SIZES[0])
        still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
        self.driver.get(self.server.url)
        assert self.hub.entered.wait(TIMEOUT_S)

    def show(self, state, images=()):
        """Show a state; return when the page has drawn it in all its parts."""
        self.server.call_soon(self.hub.present, state, images)
        assert self.hub.drawn.wait(TIMEOUT_S)
        self.driver.execute_async_script(READY, list(TITLES))

    def close(self):
        self.driver.quit()
        self.server.close()


READY = """
const [names, done] = arguments;
Promise.all(names.map((name) => import(`/kinds/${name}.js`)))
  .then(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))));
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    page = Page(tmp_path_factory.mktemp("profile"))
    yield page
    page.close()


def picture(width, height):
    return cv2.imencode(".png", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


def moments():
    for world in blocks_world():
        yield {**maze(), **others(), **match(3), **world}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("moment", [0, 1], ids=["start", "crowd"])
def test_no_two_texts_overlap_and_fingers_have_room(page, size, moment):
    browser.resize(page.driver, size)
    page.show(list(moments())[moment])
    assert page.driver.execute_script(browser.OVERLAPPING) == []
    assert page.driver.execute_script(browser.SMALL_TARGETS) == []
    seen = page.driver.execute_script(
        """return [...document.querySelectorAll("svg text")].filter(
            e => e.checkVisibility({ visibilityProperty: true })).map(e => e.textContent)"""
    )
    assert {"124", "12", "3", "Bot_1", "DropZone", "RoomB2", *"123"} <= set(seen)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_head_is_one_line(page, size):
    browser.resize(page.driver, size)
    page.show({**maze(), **others()})
    assert page.driver.execute_script(
        """return [...document.querySelectorAll(".top > *")].every(
            e => e.getBoundingClientRect().height < 30 && e.scrollWidth <= e.clientWidth + 1)"""
    )


@pytest.mark.parametrize("players", [1, 2, 6])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_pictures_fill_their_place(page, size, players):
    browser.resize(page.driver, size)
    images = [
        ImagePicture(f"/luar/player_{number} image_{lens}", picture(160, 120))
        for number in range(1, players + 1)
        for lens in ("top", "bottom")
    ]
    skater = ImagePicture("/roboskate camera/image_raw/compressed", picture(320, 180))
    page.show({**others(), **match(players)})  # an image counts only for a camera that is known
    page.show({**others(), **match(players)}, [*images, skater])
    painted = 'return !document.querySelector("figure.camera:not([data-frames])")'
    until(lambda: page.driver.execute_script(painted), "an image is not painted", TIMEOUT_S)
    boxes = page.driver.execute_script(
        """return [...document.querySelectorAll("figure.camera canvas")].map((canvas) => {
            const { width, height } = canvas.getBoundingClientRect();
            const around = canvas.parentElement.getBoundingClientRect();
            const scene = canvas.closest(".split, .screen").getBoundingClientRect();
            return [width / height, canvas.width / canvas.height, width, around.width,
                    around.top >= scene.top - 1 && around.bottom <= scene.bottom + 1];
        })"""
    )
    assert len(boxes) == 2 * players + 1, "those of players that have gone, too"
    for shown, taken, width, around, whole in boxes:
        assert shown == pytest.approx(taken, rel=0.03)
        assert (around - width, whole) == (pytest.approx(0.0, abs=1.0), True)
        assert width >= 40
