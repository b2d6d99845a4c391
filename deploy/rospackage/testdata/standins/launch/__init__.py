# SPDX-License-Identifier: Apache-2.0
"""Stands in for ROS 2's package of this name: what launch files of this repository use of it."""


class LaunchDescription(list):
    """What is done, one after the other."""
