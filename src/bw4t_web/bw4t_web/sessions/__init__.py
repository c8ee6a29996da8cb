# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""People with their robots: what they ask for, what they do, and what they are shown."""
