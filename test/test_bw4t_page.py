# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page for people as a user starts it: a browser and ROS look at the same human bot."""

import pytest

from bw4t_bridge.bridge.conversions import percept_update
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tGoing, Bw4tPercepts, Bw4tState, Bw4tTask
from legacy_robots_msgs.srv import Bw4tSetSpeed
from legacy_robots_testing import browser
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytest.importorskip("selenium")

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing())


@pytest.fixture
def page(tmp_path, port, ros2):
    """The launched world with one robot and one human bot, and a browser that shows the page."""
    arguments = ["web:=true", f"web_port:={port}", "human:=1", "robots:=1"]
    arguments += ["team:=none", "speed:=2.0"]
    with Process(ros2("launch", "legacy_robots_bringup", "bw4t.launch.py", *arguments)) as launch:
        launch.wait_for_line(f"the page for people is at http://127.0.0.1:{port}/")
        driver = browser.open_browser(tmp_path / "profile")
        try:
            driver.get(f"http://localhost:{port}/")
            yield Page(driver)
        finally:
            driver.quit()


class Page:
    def __init__(self, driver):
        self.driver = driver

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def until(self, holds):
        return WebDriverWait(self.driver, 40, 0.05).until(lambda _: holds())

    def take_over(self):
        self.until(lambda: self.find("#free-bots button").is_displayed())
        self.find("#free-bots button").click()
        self.until(lambda: self.find("#me-at").text)

    def go(self, place):
        Select(self.find("#place")).select_by_value(place)
        self.find("#go-form button").click()

    def last(self):
        return self.find("#last").text


@pytest.mark.timeout(240)
def test_what_a_person_does_is_seen_in_ros_and_the_other_way_round(page):
    page.take_over()
    name = page.find("#me-title").text.split()[0]
    with RosPeer("watcher", "bw4t") as peer:
        percepts = peer.subscribe(Bw4tPercepts, f"{name}/percepts", qos.stream(2000))
        percepts.wait_for(lambda message: message.cycle == 0)
        page.go("RoomA1")
        # The request is a percept of the human bot (specification, the HumanBot percepts) ...
        percepts.wait_for(lambda message: "goTo(RoomA1)" in map(str, percept_update(message).add))
        # ... and is acted upon.
        state = peer.subscribe(Bw4tState, f"{name}/state")
        state.wait_for(lambda message: message.room == "RoomA1")
        page.until(lambda: "Arrived at RoomA1." in page.last())
        page.until(lambda: page.find("#blocks button").is_displayed())
        page.find("#blocks button").click()
        page.until(lambda: "Arrived at block" in page.last())
        page.find('[data-action="pickUp"]').click()
        state.wait_for(lambda message: len(message.holding) == 1)

        # A goal from ROS is seen on the page, and preempted by the person's request.
        # The world is slow meanwhile, or the robot may arrive before a busy browser has asked.
        assert peer.call(Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=0.1)).success
        goal = peer.send_goal(Bw4tGoTo, f"{name}/go_to", Bw4tGoTo.Goal(place="LeftHallD"))
        page.until(lambda: page.find("#me-state").text == "on its way")
        page.go("DropZone")
        assert goal.result().outcome.code == Bw4tGoing.PREEMPTED
        assert peer.call(Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=2.0)).success
        page.until(lambda: "Arrived at DropZone." in page.last())
        page.find('[data-action="putDown"]').click()
        task = peer.subscribe(Bw4tTask, "task")
        task.wait_for(lambda message: message.good_drops + message.wrong_drops > 0)
        page.find("#leave").click()
        page.until(lambda: page.find("#free-bots button").is_displayed())
