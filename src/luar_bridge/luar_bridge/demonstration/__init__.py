# SPDX-License-Identifier: Apache-2.0
"""A simulated robot for luar_host."""
