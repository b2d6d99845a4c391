# SPDX-License-Identifier: Apache-2.0
"""Stands in for ROS 2's module of this name."""


class LaunchConfiguration:
    """The value that an argument has by then."""

    def __init__(self, name):
        self.name = name

    def perform(self, context):
        """Return the value; an argument that nothing declared is an error, as in ROS 2."""
        return context[self.name]
