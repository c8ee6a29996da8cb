# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What players say to each other: as data, as GOAL terms and in natural language."""

from bw4t_world.messages.forms import FORMS, Form
from bw4t_world.messages.model import Message, MessageError, MessageType, Phrasing
from bw4t_world.messages.term import format_term, parse_term
from bw4t_world.messages.text import format_text, parse_text

__all__ = [
    "FORMS",
    "Form",
    "Message",
    "MessageError",
    "MessageType",
    "Phrasing",
    "format_term",
    "format_text",
    "parse_term",
    "parse_text",
]
