# SPDX-License-Identifier: Apache-2.0
"""Rooms and the ways through them."""
