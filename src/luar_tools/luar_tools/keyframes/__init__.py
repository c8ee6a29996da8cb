# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Keyframe motions: files, limits, the original's interpolation, and making new ones."""
