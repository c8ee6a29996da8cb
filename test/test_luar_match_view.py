# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A match in the view, in a browser: both teams on one field, the referee's game, penalties."""

import os
import re
import uuid

import pytest

from legacy_robots_testing import browser
from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.process import Process

pytest.importorskip("selenium")

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

pytestmark = [
    pytest.mark.demonstration,
    pytest.mark.timeout(400),
    pytest.mark.skipif(bool(browser.missing()), reason=browser.missing()),
]

PICTURE = "LEGACY_ROBOTS_MATCH_PICTURE"
"""Environment variable with the file into which the picture of docs/luar_match.md is written."""
COLORS = {"blue": "--team-blue", "red": "--team-red"}


def shown(driver):
    """Return the players on the field: (colour, number, whether penalised, fill of the disc)."""
    script = """const match = document.querySelector('[data-group="/luar_match"]');
        const all = (what) => match ? [...match.querySelectorAll(what)] : [];
        const numbers = all(".numbers text");
        return all(".player").map((p, i) => [
            p.dataset.color, numbers[i]?.textContent ?? "", p.classList.contains("penalised"),
            getComputedStyle(p.querySelector(".disc")).fill])"""
    return sorted(tuple(player) for player in driver.execute_script(script))


def paint(driver, name):
    """Return a colour of the palette as the browser computes it."""
    script = """const e = document.createElement("i"); document.body.append(e);
        e.style.color = `var(${arguments[0]})`; const c = getComputedStyle(e).color;
        e.remove(); return c"""
    return driver.execute_script(script, name)


def test_both_teams_the_game_and_a_penalty_are_seen(ros2, tmp_path):
    ports = free_ports(3)
    launch = ros2(
        *("launch", "legacy_robots_bringup", "luar_match.launch.py"),
        *(f"user:=view{uuid.uuid4().hex[:10]}", f"port:={ports[0]}", f"ball_port:={ports[1]}"),
        *("penalise:=true", "initial:=20", "ready:=10", "half:=600", "penalty:=200"),
    )
    view = ros2("launch", "legacy_robots_bringup", "view.launch.py", f"port:={ports[2]}")
    with Process(launch), Process(view) as page:
        url = re.search(r"http://\S+", page.wait_for_line(r"the view is at http://\S+"))[0]
        driver = browser.open_browser(tmp_path, (1280, 800), "hide-scrollbars")
        try:
            driver.get(url)

            def until(holds):
                try:
                    WebDriverWait(driver, 60, 0.1).until(lambda _: holds())
                except TimeoutException:
                    text = driver.find_element(By.TAG_NAME, "body").text
                    raise AssertionError(f"{shown(driver)}; the page says {text}") from None

            def caption():
                selector = '[data-group="/luar_match"] .caption'
                found = driver.find_elements(By.CSS_SELECTOR, selector)
                return found[0].text if found else ""

            teams = [(color, str(n)) for color in COLORS for n in (1, 2, 3)]
            until(lambda: [player[:2] for player in shown(driver)] == teams)
            assert len(driver.find_elements(By.CSS_SELECTOR, ".panel[data-group]")) == 1
            assert len(driver.find_elements(By.CSS_SELECTOR, ".post")) == 4
            game = r"(?i)playing · half 1 · \d+:\d\d left · blue \d+ : \d+ red · blue 1 penalised"
            until(lambda: re.fullmatch(game, caption()))
            fills = {(c, n): "--team-none" if (c, n) == teams[0] else COLORS[c] for c, n in teams}
            until(
                lambda: (
                    shown(driver)
                    == [
                        (*who, who == teams[0], paint(driver, name)) for who, name in fills.items()
                    ]
                )
            )
            until(lambda: driver.find_elements(By.CSS_SELECTOR, ".balls .ball"))
            until(
                lambda: (
                    len(driver.find_elements(By.CSS_SELECTOR, "figure.camera[data-frames]")) == 6
                )
            )
            # Each robot's state machines, and the state that its body is in.
            until(lambda: len(driver.find_elements(By.CSS_SELECTOR, "details.behaviour")) == 6)
            if PICTURE in os.environ:
                driver.save_screenshot(os.environ[PICTURE])
            assert driver.get_log("browser") == []
        finally:
            driver.quit()
