# SPDX-License-Identifier: Apache-2.0
"""The error of scenarios."""

from __future__ import annotations

from bw4t_world.xml_document import DocumentError


class ScenarioError(DocumentError):
    """A scenario that cannot be read or that no world can take.

    The message, and the attributes ``source``, ``element`` and ``problem``, name the file, the
    element and what is wrong with it.
    """
