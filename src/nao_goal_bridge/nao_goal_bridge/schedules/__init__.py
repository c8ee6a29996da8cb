# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A search over the orders in which replies, cuts, Halts and goals can come."""
