#!/bin/bash
# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
# Run a command in the environment of the workspace.
source /opt/legacy_robots/install/setup.bash
exec "$@"
