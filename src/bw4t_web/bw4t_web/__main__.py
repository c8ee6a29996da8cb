# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``python -m bw4t_web`` is ``bw4t serve``, also where that program has another name."""

import sys

from bw4t_web.console.serve import main

if __name__ == "__main__":
    sys.exit(main())
