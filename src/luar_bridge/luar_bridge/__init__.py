# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The shared memory of a Luar robot as ROS 2 topics, and the library that reads and writes it."""
