# SPDX-License-Identifier: Apache-2.0
"""How a system is launched: its arguments, its parameters, and what runs.

Only ``description`` needs ``launch``; what is started is described as data, see ``parts``.
"""
