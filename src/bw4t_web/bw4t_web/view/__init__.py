# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a person sees: the scene, the percepts of the own robot, others, and the phrases."""
