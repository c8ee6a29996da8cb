# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the bridge that parameters switch on, see :mod:`luar_bridge.bridge.part_context`."""
