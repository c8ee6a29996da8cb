# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Colour tables (look-up tables) of Luar's Vision, learnt from pictures. numpy and OpenCV."""
