# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GameController: its broadcast as a topic and in gcmGame, and the robot's answer."""
