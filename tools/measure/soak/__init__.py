# SPDX-License-Identifier: Apache-2.0
"""The soak of the demonstration."""
