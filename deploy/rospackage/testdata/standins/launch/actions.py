# SPDX-License-Identifier: Apache-2.0
"""Actions of launch files: each is done by run.py."""


class Action:
    """Remembers what it was made with."""

    def __init__(self, *positional, **named):
        self.positional, self.named = positional, named


class DeclareLaunchArgument(Action):
    """A default, unless the argument was given."""


class EmitEvent(Action):
    """An event."""


class IncludeLaunchDescription(Action):
    """Another launch file."""


class OpaqueFunction(Action):
    """A function that gives actions."""


class RegisterEventHandler(Action):
    """What is done when something happens."""
