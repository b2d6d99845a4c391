# SPDX-License-Identifier: Apache-2.0
"""Stands in for ROS 2's module of this name."""

from launch.actions import Action


class Node(Action):
    """A program that would be started."""
