# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Real ROS 2 Jazzy from PyPI, in .venv, for machines without a ROS 2 installation."""
