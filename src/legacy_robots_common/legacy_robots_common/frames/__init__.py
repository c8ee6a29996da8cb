# SPDX-License-Identifier: Apache-2.0
"""Rotations, TF and robot models."""
