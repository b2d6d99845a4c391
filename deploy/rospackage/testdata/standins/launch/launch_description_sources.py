# SPDX-License-Identifier: Apache-2.0
"""Stands in for ROS 2's module of this name."""


class PythonLaunchDescriptionSource(str):
    """The path of a launch file."""
