# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The part of the ``ros2`` command that tools/pip_ros provides; ``python -m ros2_command``."""
