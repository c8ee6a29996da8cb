# SPDX-License-Identifier: Apache-2.0
"""The camera image of the simulated game."""
