# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Studies and learning with the blocks world: records, replay, experiments, environments.

No ROS. The commands appear in the program ``bw4t`` of :mod:`bw4t_world`.
"""
