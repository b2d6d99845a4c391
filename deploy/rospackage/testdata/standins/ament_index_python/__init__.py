# SPDX-License-Identifier: Apache-2.0
"""Stands in for ROS 2's package of this name."""
