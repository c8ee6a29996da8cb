# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS 2 and Golog drive a Sony AIBO through the Golog-Tekkotsu Interface (GTI)."""
