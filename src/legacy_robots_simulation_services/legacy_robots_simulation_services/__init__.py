# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces for simulators, and one clock for all."""
