# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One page in the browser that shows all classic robots that run, live. It only looks.

Data walks in one direction: ``discovery`` finds systems on the graph; ``polling`` reads topics, as
often as the page needs them and no more; ``systems`` has for each kind of system the topics it is
drawn from, and pure functions from messages to what the page draws; ``panels`` puts together one
system's state, ``watch`` that of all; ``node`` is the ROS node, which hands the states to ``hub``,
on the web server's thread; ``static`` has the page itself.
"""
