# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page of ``luar_tools color_table pick`` in a browser: picks, undo, labels, files."""

import json
import os
import re
import sys
import urllib.error
import urllib.request

import cv2
import numpy as np
import pytest

from legacy_robots_testing import browser
from legacy_robots_testing.process import Process
from luar_tools.color_table.packing import rgb_to_yuyv
from luar_tools.color_table.picks import read_picks
from luar_tools.color_table.table import LABELS, label_a, read_table

pytest.importorskip("selenium")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing())

PICTURE = "LEGACY_ROBOTS_COLOR_PICTURE"
"""Environment variable with the file into which the picture of docs/luar_tools.md is written."""


def scene():
    noise = np.random.default_rng(1).integers(-4, 5, (240, 320, 3))
    rgb = np.full((240, 320, 3), (30, 120, 40), np.int32)
    rgb[:70] = (70, 70, 90)
    rgb[150:165] = (235, 235, 235)
    cv2.circle(rgb, (200, 110), 25, (230, 110, 20), -1)
    return (rgb + noise).astype(np.uint8)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def labelled(self, name):
        selector = f'tr[data-class="{name}"] td:nth-child(3)'
        return int(self.driver.find_element(By.CSS_SELECTOR, selector).text or 0)

    def until(self, picks):
        """Wait until the page shows so many picks."""
        WebDriverWait(self.driver, 40, 0.05).until(
            lambda d: d.find_element(By.TAG_NAME, "body").get_attribute("data-picks") == str(picks)
        )

    def choose(self, name):
        self.driver.find_element(By.CSS_SELECTOR, f'input[value="{name}"]').click()

    def drag(self, x0, y0, x1, y1):
        """Drag over the picture, from and to pixels of it."""
        canvas = self.driver.find_element(By.ID, "image")
        across, down = canvas.size["width"] / 320, canvas.size["height"] / 240
        start = (x0 + 0.5 - 160) * across, (y0 + 0.5 - 120) * down
        chain = ActionChains(self.driver).move_to_element_with_offset(canvas, *map(int, start))
        chain.click_and_hold().move_by_offset(int((x1 - x0) * across), int((y1 - y0) * down))
        chain.release().perform()


def test_colours_are_picked_in_a_browser(tmp_path):
    picture, picks, table = (tmp_path / name for name in ("a.png", "picks.txt", "table.raw"))
    cv2.imwrite(str(picture), scene()[..., ::-1])
    command = [sys.executable, "-m", "luar_tools", "color_table", "pick", "--port", "0"]
    with Process([*command, str(picks), str(table), str(picture)]) as program:
        url = re.search(r"http://\S+", program.wait_for_line("pick colours at"))[0]
        driver = browser.open_browser(tmp_path / "profile", (1340, 860))
        try:
            driver.get(url)
            page = Page(driver)
            page.until(0)
            page.choose("field")
            page.drag(20, 180, 300, 230)
            page.until(1)
            page.choose("white")
            page.drag(20, 152, 120, 162)
            page.until(2)
            page.choose("none")
            page.drag(10, 10, 300, 60)
            page.until(3)
            assert page.labelled("orange") == 0
            assert page.labelled("field") > 5000
            page.choose("orange")
            Select(driver.find_element(By.ID, "tool")).select_by_index(1)
            page.drag(200, 110, 200, 110)
            page.until(4)
            ball = page.labelled("orange")
            assert 440 < ball < 520  # a disc of 25 pixels has 491 in half the size
            driver.find_element(By.ID, "undo").click()
            page.until(3)
            assert page.labelled("orange") == 0
            page.drag(200, 110, 200, 110)
            page.until(4)
            assert page.labelled("orange") == ball
            if PICTURE in os.environ:
                driver.save_screenshot(os.environ[PICTURE])
            assert driver.get_log("browser") == []
        finally:
            driver.quit()
        foreign = urllib.request.Request(
            url, json.dumps({"do": "undo"}).encode(), {"Content-Type": "text/plain"}
        )
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(foreign, timeout=10)
    assert [pick.name for pick in read_picks(picks).picks] == ["field", "white", "none", "orange"]
    labels = label_a(read_table(table)[0], rgb_to_yuyv(scene()))
    assert labels[55, 100] == LABELS["orange"]
    assert labels[100, 80] == LABELS["field"]
