# SPDX-License-Identifier: Apache-2.0
"""The simulated game as a program that serves the wire."""
