# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Simulator programs, their control channel, and simulation_interfaces over it."""
