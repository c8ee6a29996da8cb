# SPDX-License-Identifier: Apache-2.0
"""A simulated Nao, a program without ROS."""
