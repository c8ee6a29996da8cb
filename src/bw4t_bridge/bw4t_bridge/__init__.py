# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world BW4T in ROS 2: one node that runs it, agents as nodes, a page for people."""
