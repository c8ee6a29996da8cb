# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Published studies as experiment files: ``bw4t study new --of NAME DIR``."""
