# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Action servers and clients, policies that order goals, and Nav2 goals for any robot."""
