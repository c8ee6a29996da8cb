# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The GTI wire: bytes, commands and sensors, and the session of its server side."""
