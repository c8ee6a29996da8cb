# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the game: its tracks, board and crane, camera, and the two wires it serves."""
