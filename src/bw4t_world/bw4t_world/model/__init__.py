# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""State of a blocks world: zones, blocks, robots, percepts, profiles."""
