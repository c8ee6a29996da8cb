# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The layout tables, read by layout_table: what the variables of each Luar version mean."""
