# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The commands ``bw4t serve``, and ``bw4t experiment`` with people."""
