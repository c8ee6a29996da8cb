# SPDX-License-Identifier: Apache-2.0
"""Connections that own a thread and reconnect by themselves."""
