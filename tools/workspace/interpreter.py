# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Go on in a supported Python. This module itself runs in any Python 3."""

import os
import shutil
import subprocess
import sys

SUPPORTED = [(3, minor) for minor in range(10, 15)]  # the versions that the wheels exist for


def use_supported_python():  # type: ignore[no-untyped-def]  # any Python 3
    """Restart this command in the newest supported Python on PATH, if this one is not supported.

    A virtual environment's Python gives way to the one it was made from: .venv may be made anew
    under it. Exits with 1 and one sentence when there is none.
    """
    if sys.version_info[:2] in SUPPORTED:
        base = os.path.join(sys.base_prefix, "bin", "python%d.%d" % sys.version_info[:2])
        if sys.prefix != sys.base_prefix and os.access(base, os.X_OK):
            os.execv(base, [base] + sys.argv)
        return
    for major, minor in reversed(SUPPORTED):
        found = shutil.which("python%d.%d" % (major, minor))
        # A version manager's shim may exist for a version that is not installed: ask it.
        if found and subprocess.call([found, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            os.execv(found, [found] + sys.argv)
    sys.exit(
        "tools/%s: Python %d.%d is not supported: install Python 3.10 to 3.14 and put it on PATH "
        "(Debian and Ubuntu: apt install python3 python3-venv python3-dev)"
        % ((os.path.basename(sys.argv[0]),) + sys.version_info[:2])
    )
