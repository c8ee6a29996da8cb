# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""State machines of a Luar robot: read by execution, listed and drawn."""
