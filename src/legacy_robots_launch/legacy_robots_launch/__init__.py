# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Substitutions and parameter files for launch files; docs/launch.md shows their use."""
