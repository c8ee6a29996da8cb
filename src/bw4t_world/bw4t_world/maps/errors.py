# SPDX-License-Identifier: Apache-2.0
"""The error of maps."""

from __future__ import annotations

from bw4t_world.xml_document import DocumentError


class MapError(DocumentError):
    """A map that cannot be read or that makes no world.

    The message, and the attributes ``source``, ``element`` and ``problem``, name the file, the
    element and what is wrong with it.
    """
