# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our Java programs, and how they are compiled and run. ROS-free.

The sources are in ``sources``, and need no jar to compile: they reach the classes of BW4T and EIS,
which the user has and which are not shipped (GPL-3), by reflection. They are compiled the first
time they are needed, which takes a JDK; the classes are kept in the user's cache.
"""

from bw4t_java.jvm.compiler import JavaError, classes, find_java
from bw4t_java.jvm.process import JavaProgram, class_path, java_command

__all__ = ["JavaError", "JavaProgram", "class_path", "classes", "find_java", "java_command"]
