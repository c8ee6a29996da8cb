# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client of the game over gRPC, JSON over HTTP, or in this process."""
