# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium for tests of pages, where Debian's chromium and chromium-driver are."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium import webdriver

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")
ARGUMENTS = (
    "headless", "no-sandbox", "disable-gpu", "disable-quic", "disable-dev-shm-usage",
    "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync",
)  # fmt: skip


def missing() -> str:
    """Return what to install before ``open_browser``, by which command; empty if all is there."""
    if find_spec("selenium") is None:
        return "needs Selenium: python3 -m pip install selenium"
    if CHROMIUM and CHROMEDRIVER:
        return ""
    return "needs Chromium: apt-get install chromium chromium-driver"


def open_browser(
    profile: Path, size: tuple[int, int] = (1280, 720), *arguments: str, scale: float = 1.0
) -> webdriver.Chrome:
    """Return a browser whose inside has ``size`` (pixels of the page, ``scale`` dots each).

    ``profile`` is a directory of its own; ``arguments`` are more of Chromium's options, without
    the dashes. Its console is kept for ``get_log("browser")``; ``quit`` it in the end.
    """
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (*ARGUMENTS, f"user-data-dir={profile}", *arguments):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    resize(driver, size, scale)
    return driver


def resize(driver: webdriver.Chrome, size: tuple[int, int], scale: float = 1.0) -> None:
    """Give the inside of a browser another size, as ``open_browser``."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": False},
    )


OVERLAPPING = """
const texts = [];
for (const element of document.querySelectorAll("body *")) {
  const svg = element instanceof SVGElement;
  if (svg ? element.tagName !== "text" : ![...element.childNodes].some((n) => n.nodeType === 3))
    continue;
  if (element.closest(".hidden, defs") || !element.textContent.trim()) continue;
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  const range = document.createRange();
  const boxes = svg ? [element.getBoundingClientRect()]
    : [...element.childNodes].filter((n) => n.nodeType === 3 && n.data.trim()).flatMap((n) => {
        range.selectNodeContents(n);
        return [...range.getClientRects()];
      });
  for (const box of boxes) {
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let e = svg ? element.parentElement : element; e; e = e.parentElement) {
      if (e.tagName === "MAIN") break; // the page may be scrolled
      if (getComputedStyle(e).overflowX === "visible") continue;
      const around = e.getBoundingClientRect();
      [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
      [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
    }
    if (right - left > 1 && bottom - top > 1)
      texts.push([element, left + .5, top + .5, right - .5, bottom - .5]);
  }
}
return texts.flatMap(([one, left, top, right, bottom], index) => texts.slice(index + 1)
  .filter(([two, l, t, r, b]) => one !== two && left < r && l < right && top < b && t < bottom)
  .map(([two]) => `${one.textContent} | ${two.textContent}`));
"""
"""Script: pairs of texts whose boxes overlap, as far as what is around them lets them be seen."""

SMALL_TARGETS = """
const kinds = "a[href], button, select, input:not([type=checkbox]), .check, summary";
return [...document.querySelectorAll(kinds)]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.id || element.textContent, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (width < 44 || height < 44))
  .map(([name, { width, height }]) => `${name}: ${width} x ${height}`);
"""
"""Script: what a finger may touch and is less than 44 pixels wide or high, with its size."""
