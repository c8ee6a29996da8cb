# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks: medians, and ratios to a floor measured in the same run."""
