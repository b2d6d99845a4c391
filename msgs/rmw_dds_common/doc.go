// SPDX-License-Identifier: Apache-2.0

// Package rmw_dds_common has the messages of the topic ros_discovery_info, by which a DDS participant announces its
// nodes, in the layout of ROS 2 Humble and before, with GIDs of 24 bytes. Package iron below it has the 16 bytes of
// later releases. The two are incompatible: a sender chooses the layout by receiver.
package rmw_dds_common
