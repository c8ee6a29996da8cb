# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page lists robots that have no panel, and leaves no empty box for them."""

import re

import pytest
from ament_index_python.packages import get_package_prefix

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, NaoState
from legacy_robots_testing import browser
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = [
    pytest.mark.demonstration,
    pytest.mark.timeout(180),
    pytest.mark.skipif(bool(browser.missing()), reason=browser.missing()),
]
PANELS = """return [...document.querySelectorAll("main > .panel")].map(
    (panel) => panel.dataset.group ?? panel.id)"""
ROWS = "return [...document.querySelectorAll('#links > li')].map((r) => r.innerText)"


def test_robots_without_a_panel_are_lines_of_the_list(tmp_path, own_domain):
    program = f"{get_package_prefix('legacy_robots_view')}/lib/legacy_robots_view/view"
    view = Process([program, "--ros-args", "-p", "port:=0"])
    with view, RosPeer() as peer:
        for number in range(10):
            topic = f"/old_{number}/link_state"
            state = LinkState(state=LinkState.CONNECTED, detail=f"port {number}", connections=1)
            peer.node.create_publisher(LinkState, topic, qos.LATCHED).publish(state)
        url = re.search(r"http://\S+", view.wait_for_line("the view is at http://"))[0]
        driver = browser.open_browser(tmp_path, (1280, 800))
        try:
            driver.get(url)

            def wait_for(panels):
                ports = {f"port {number}" for number in range(10)}
                look = {"panels": [], "rows": []}

                def shown():
                    look.update(
                        panels=driver.execute_script(PANELS), rows=driver.execute_script(ROWS)
                    )
                    up = {port for port in ports if any(port in row for row in look["rows"])}
                    return look["panels"] == panels and up == ports

                until(shown, lambda: f"not {panels} with ten rows, but {look}", TIMEOUT)

            wait_for(["systems"])
            assert "10 of 10 links up" in driver.find_element("id", "summary").text
            assert not driver.find_element("id", "no-systems").is_displayed()
            peer.node.create_publisher(NaoState, "/old_3/state", qos.LATCHED)
            wait_for(["/old_3", "systems"])
        finally:
            driver.quit()
