# SPDX-License-Identifier: Apache-2.0
"""rclpy nodes in a fixed order, together with those of other processes: docs/explanation/time.md says how."""
