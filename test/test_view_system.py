# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The view as a user starts it, beside all five systems, in a browser."""

import os
import re
import signal
from collections import Counter
from contextlib import ExitStack

import pytest
from diagnostic_msgs.msg import DiagnosticArray

from legacy_robots_common.node import qos
from legacy_robots_testing import browser
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytest.importorskip("selenium")

from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

pytestmark = [
    pytest.mark.demonstration,
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(browser.missing()), reason=browser.missing()),
]

PICTURE = "LEGACY_ROBOTS_VIEW_PICTURE"
"""Environment variable with the file into which the picture of the documents is written."""
FOR_DOCUMENTS = PICTURE in os.environ
TIMEOUT_S = 400.0 if FOR_DOCUMENTS else 90.0
"""On a busy machine the moment for the picture takes minutes to come."""
SMALL_PICTURES = (
    () if FOR_DOCUMENTS else ("image_width:=160", "image_height:=120", "camera_rate:=5.0")
)
ROBOTS = 3 if FOR_DOCUMENTS else 1
SCALE = 1.5 if FOR_DOCUMENTS else 1.0
"""As launched by default, all systems and a browser keep more than two cores busy."""
SIZE = (1280, 800)
LINKS = {"/aibo", "/bw4t", "/luar/player_1", "/luar/player_2", "/nao", "/roboskate"}


class Launched:
    """All systems on their simulators: two players of Luar, and one of each other."""

    def __init__(self, stack, ros2, ports):
        self._stack, self._ros2, self._port = stack, ros2, ports[0]
        self.bw4t_page = f"http://127.0.0.1:{ports[1]}/"
        # Without a body (profile webots) they leave alone what other robots of this machine share.
        user = f"view{os.getpid()}"
        self.luar = self._launch("luar", "players:=1,2", "profile:=webots", f"user:={user}")
        game = (f"port:={ports[2]}", f"http_port:={ports[3]}")
        self.roboskate = self._launch("roboskate", "autopilot:=true", *game, *SMALL_PICTURES)
        self.bw4t = self._launch(
            "bw4t", "web:=true", f"web_port:={ports[1]}", "repeat_after:=5.0", f"robots:={ROBOTS}"
        )
        self.nao = self._launch("nao", "errand:=true", f"port:={ports[4]}")
        self.aibo = self._launch("aibo", "ball_game:=true", f"port:={ports[5]}")
        self.start_view()

    def _launch(self, name, *arguments):
        command = self._ros2("launch", "legacy_robots_bringup", f"{name}.launch.py", *arguments)
        return self._stack.enter_context(Process(command))

    def stop_systems(self):
        """End all but the view."""
        for process in (self.luar, self.roboskate, self.bw4t, self.nao, self.aibo):
            process.interrupt_group()
        for process in (self.luar, self.roboskate, self.bw4t, self.nao, self.aibo):
            process.wait()

    def start_view(self):
        self.view = self._launch("view", f"port:={self._port}")
        line = self.view.wait_for_line(r"the view is at http://\S+")
        self.url = re.search(r"http://\S+", line)[0]


class Page:
    def __init__(self, driver):
        self.driver = driver

    def until(self, holds):
        waiting = WebDriverWait(
            self.driver, TIMEOUT_S, 0.1, ignored_exceptions=[StaleElementReferenceException]
        )
        try:
            return waiting.until(lambda _: holds())
        except TimeoutException:
            shown = self.driver.find_element(By.TAG_NAME, "body").text
            raise AssertionError(f"it did not happen; the page says {shown}") from None

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def count(self, selector):
        return len(self.all(selector))

    def text(self, selector):
        """Return what is seen, but for capitals that the style gives to first letters."""
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def value(self, selector, attribute):
        return self.driver.find_element(By.CSS_SELECTOR, selector).get_attribute(attribute)

    def number(self, selector, attribute):
        return int(self.value(selector, attribute) or 0)

    def grows(self, selector, attribute):
        """Wait until a count of the page's own is above what it is now."""
        self.until(lambda: self.count(selector) > 0)
        before = self.number(selector, attribute)
        self.until(lambda: self.number(selector, attribute) > before + 2)

    def changes(self, look):
        before = look()
        self.until(lambda: look() != before)

    def links(self):
        rows = self.all("#links > li")
        return {
            row.get_attribute("data-namespace"): row.get_attribute("data-status") for row in rows
        }

    def status(self, group):
        return self.value(f'[data-group="{group}"]', "data-status")

    def shown(self, group):
        return self.value(f'[data-group="{group}"]', "data-shown")

    def veil(self, group):
        return self.text(f'[data-group="{group}"] .veil')


@pytest.fixture(scope="module")
def launched(ros2, free_ports):
    with ExitStack() as stack:
        yield Launched(stack, ros2, free_ports(6))


@pytest.fixture(scope="module")
def page(launched, tmp_path_factory):
    profile = tmp_path_factory.mktemp("profile")
    driver = browser.open_browser(profile, SIZE, "hide-scrollbars", scale=SCALE)
    try:
        driver.get(launched.url)
        yield Page(driver)
    finally:
        driver.quit()


def test_every_link_is_listed(page):
    page.until(lambda: page.links() == dict.fromkeys(LINKS, "connected"))
    page.until(lambda: page.text("#summary") == "6 of 6 links up")
    assert page.text("#link") == "live"
    assert page.count(".panel[data-group]") == 5, "the players of a team share a panel"


def test_the_skater_is_seen(page):
    panel = '[data-kind="roboskate"]'
    page.grows(f"{panel} figure.camera", "data-frames")
    page.grows(f"{panel} canvas.crane", "data-drawn")
    page.until(lambda: re.fullmatch(r"-?\d+\.\d m/s", page.text(f"{panel} .hud p")))
    page.changes(lambda: page.text(f"{panel} .hud p"))
    page.until(lambda: re.search(r"camera \d+(\.\d)? Hz", page.text(f"{panel} .rates")))


def test_the_field_is_seen_with_both_players_and_the_ball(page):
    panel = '[data-kind="luar"]'
    page.until(lambda: page.count(f"{panel} .player") == 2)
    page.until(lambda: {e.text for e in page.all(f"{panel} .number")} == {"1", "2"})
    page.until(lambda: page.count(f"{panel} .ball") == 2)  # where each takes it to be
    assert page.count(f"{panel} .post") == 4
    page.until(lambda: page.count(f"{panel} figure.camera[data-frames]") == 2)
    page.grows(f"{panel} figure.camera", "data-frames")
    page.changes(lambda: page.value(f"{panel} .player", "style"))
    page.until(lambda: "half" in page.text(f"{panel} .caption"))


def test_the_state_machines_of_both_players_are_seen(page):
    machines = '[data-kind="luar"] details.behaviour'
    page.until(lambda: page.count(machines) == 2)
    page.until(lambda: "game" in page.text(f"{machines} summary"))
    page.driver.find_element(By.CSS_SELECTOR, f"{machines} summary").click()
    page.until(lambda: re.search(r"body: body\w+ for \d+\.\d s", page.text(f"{machines} ul")))
    page.until(lambda: page.number(f"{machines} img", "naturalWidth") > 200)
    page.until(lambda: "body: " in page.text(f"{machines} ol"))
    page.driver.find_element(By.CSS_SELECTOR, f"{machines} summary").click()


def test_the_dog_moves_and_its_ball_is_seen(page):
    panel = '[data-kind="aibo"]'
    page.grows(f"{panel} canvas.dog", "data-drawn")
    page.until(
        lambda: re.match(r"(?i)pink ball \d+° (left|right)", page.text(f"{panel} .caption"))
    )
    page.until(lambda: page.count(f"{panel} .eye circle:not(.absent)") == 1)
    page.until(lambda: re.search(r"battery \d+ %", page.text(f"{panel} .caption")))


def test_the_maze_is_seen_and_the_robot_walks_in_it(page):
    panel = '[data-kind="nao"]'
    page.until(lambda: page.count(f"{panel} .room") == 15)
    page.until(
        lambda: re.match(r"(?i)in room \d+, (halted|walking)", page.text(f"{panel} .caption"))
    )
    page.changes(lambda: page.value(f"{panel} .here", "data-room"))
    page.until(lambda: page.count(f"{panel} .sight") > 0)
    page.until(lambda: "carries object 1" in page.text(f"{panel} .caption"))
    page.until(lambda: page.count(f"{panel} .things .thing") == 1)  # put down, in some room


def test_the_blocks_world_is_seen_and_leads_to_its_own_page(page, launched):
    panel = '[data-kind="bw4t"]'
    page.until(lambda: page.count(f"{panel} .bot") == ROBOTS)
    assert page.count(f"{panel} .zone.room") == 9
    assert page.count(f"{panel} .blocks .block") > 10
    page.changes(lambda: [bot.get_attribute("style") for bot in page.all(f"{panel} .bot")])
    page.until(lambda: page.count(f"{panel} .sequence .done") > 0)
    page.until(lambda: page.count(f"{panel} .door.closed") > 0)
    assert page.value(f"{panel} a.page", "href") == launched.bw4t_page


def test_it_fits_into_a_small_screen(page):
    measure = """const e = document.documentElement, panels = document.querySelectorAll(".panel");
        const ends = [...panels].map((panel) => panel.getBoundingClientRect().bottom);
        return [e.scrollWidth, e.scrollHeight, Math.max(...ends) <= innerHeight];"""
    # While the page is behind, as on a busy machine, a banner stands above the panels.
    page.until(lambda: page.driver.execute_script(measure) == [*SIZE, True])


def test_no_text_is_below_11_pixels_on_a_phone(page):
    measure = """return [...document.querySelectorAll("body *")].flatMap((element) => {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || !element.getClientRects().length || element.closest(".hidden")) return [];
        const matrix = element instanceof SVGElement ? element.getScreenCTM() : { a: 1, b: 0 };
        const scale = Math.hypot(matrix.a, matrix.b);
        const size = scale * parseFloat(getComputedStyle(element).fontSize);
        return size < 10.99 ? [`${element.outerHTML}: ${size}`] : [];
    })"""
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        page.until(lambda: page.driver.execute_script("return innerWidth") == phone["width"])
        page.until(lambda: page.all("svg text"))
        page.until(lambda: not page.driver.execute_script(measure))
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def is_lively(page):
    """Wait until something has moved in each panel."""
    page.grows('[data-kind="aibo"] canvas.dog', "data-drawn")
    page.grows('[data-kind="roboskate"] canvas.crane', "data-drawn")
    page.changes(lambda: page.value('[data-kind="luar"] .player', "style"))
    page.until(lambda: page.count('[data-kind="nao"] .room') == 15)
    page.until(lambda: page.count('[data-kind="bw4t"] .zone.room') == 9)
    page.changes(lambda: [b.get_attribute("style") for b in page.all('[data-kind="bw4t"] .bot')])


@pytest.fixture(scope="module")
def recording(launched, page, ros2, tmp_path_factory):
    """Some seconds of all systems, with latched topics of their starts."""
    pytest.importorskip("mcap")
    file = tmp_path_factory.mktemp("recording") / "demonstration.mcap"
    regex = "regex:=(?!.*(/image_raw|parameter_events|rosout)$)/.*"
    arguments = ["--ros-args", "-p", f"file:={file}", "-p", regex]
    with Process(ros2("run", "legacy_robots_examples", "record", *arguments)) as program:
        for namespace in LINKS:
            program.wait_for_line(f"receiving {namespace}/link_state", TIMEOUT_S)
        is_lively(page)
        with RosPeer() as peer:  # it came later than the recorder, so that has no less
            heard = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(100))
            counts = Counter()

            def five_of_each(message):
                counts.update(f"/{status.name}".rpartition("/")[0] for status in message.status)
                return all(counts[namespace] >= 5 for namespace in LINKS)

            heard.wait_for(five_of_each, TIMEOUT_S)
        program.interrupt_group()
        assert program.wait() == 0
    return file


def test_all_of_it_is_recorded(recording):
    reader = pytest.importorskip("mcap.reader")
    with recording.open("rb") as stream:
        summary = reader.make_reader(stream).get_summary()
    counts = summary.statistics.channel_message_counts
    topics = {c.topic for i, c in summary.channels.items() if counts.get(i)}
    assert {f"{namespace}/link_state" for namespace in LINKS} <= topics, counts


if FOR_DOCUMENTS:

    @pytest.mark.timeout(2 * TIMEOUT_S)
    def test_the_picture_is_taken(page):
        """No test: save the picture of docs/view.md when all panels show something."""
        moment = (
            ('[data-kind="aibo"] .caption', r"(?i)^pink ball \d"),
            ('[data-kind="nao"] .caption', r"carries|walking"),
            ('[data-kind="bw4t"] .sequence', r"✓\s+✓"),
        )

        def is_good():
            return all(re.search(words, page.text(where)) for where, words in moment)

        def is_taken():
            page.until(is_good)
            page.driver.save_screenshot(os.environ[PICTURE])
            return is_good()  # still

        page.until(is_taken)


def test_the_console_is_empty(page):
    assert page.driver.get_log("browser") == []


def test_a_simulator_that_is_killed_is_shown_as_lost(page, launched):
    os.kill(launched.aibo.pid_of("simulator"), signal.SIGKILL)
    page.until(lambda: page.status("/aibo") in ("fault", "connecting"))
    page.until(lambda: page.shown("/aibo") == "old")
    page.until(lambda: re.search(r"what is shown is of \d+ s ago", page.veil("/aibo")))
    page.until(lambda: "ago" in page.text('[data-group="/aibo"] .rates'))
    page.until(lambda: page.text("#summary") == "5 of 6 links up")
    assert page.shown("/nao") == "live"


def test_a_bridge_that_hangs_is_shown_as_silent(page, launched):
    bridge = launched.nao.pid_of("bridge")
    os.kill(bridge, signal.SIGSTOP)
    try:
        # The page cannot know whether it hangs or has ended once DDS has given it up.
        page.until(lambda: page.status("/nao") in ("silent", "gone"))
        assert page.shown("/nao") == "old"
        page.until(lambda: re.search("the bridge is silent|gone", page.veil("/nao").lower()))
    finally:
        os.kill(bridge, signal.SIGCONT)
    page.until(lambda: page.status("/nao") == "connected")
    page.until(lambda: page.shown("/nao") == "live")


def test_a_bridge_that_ends_is_shown_as_gone(page, launched):
    os.kill(launched.nao.pid_of("bridge"), signal.SIGINT)
    page.until(lambda: page.status("/nao") == "gone")
    assert page.shown("/nao") == "old"


def test_a_view_that_hangs_turns_all_of_the_page_grey(page, launched):
    view = launched.view.pid_of("view")
    os.kill(view, signal.SIGSTOP)
    try:
        page.until(lambda: page.value("body", "data-link") == "silent")
        assert page.text("#summary") == ""
        assert (
            page.driver.execute_script(
                "return getComputedStyle(document.querySelector('main')).filter"
            )
            == "grayscale(1)"
        )
        page.until(lambda: re.search(r"everything below is of \d+ s ago", page.text("#banner")))
    finally:
        os.kill(view, signal.SIGCONT)
    page.until(lambda: page.text("#link") == "live")


def test_without_the_view_the_page_says_how_old_it_is_and_comes_back(page, launched):
    connections = page.number("body", "data-connections")
    launched.view.interrupt_group()
    assert launched.view.wait() == 0
    page.until(lambda: re.search(r"everything below is of \d+ s ago", page.text("#banner")))
    launched.start_view()
    page.until(lambda: page.number("body", "data-connections") == connections + 1)
    page.until(lambda: page.text("#link") == "live")
    page.until(lambda: not page.all("#banner")[0].is_displayed())
    page.until(lambda: page.links().get("/roboskate") == "connected")
    page.grows('[data-kind="roboskate"] figure.camera', "data-frames")


def test_a_recording_is_seen_as_what_it_is_of(page, launched, ros2, recording):
    launched.stop_systems()
    page.until(lambda: set(page.links().values()) == {"gone"})
    arguments = ["--ros-args", "-p", f"file:={recording}", "-p", "rate:=0.2"]
    with Process(ros2("run", "legacy_robots_examples", "replay", *arguments)) as program:
        page.until(lambda: page.links() == dict.fromkeys(LINKS, "connected"))
        is_lively(page)
        program.interrupt_group()
        assert program.wait() == 130
