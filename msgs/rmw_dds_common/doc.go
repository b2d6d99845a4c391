// SPDX-License-Identifier: Apache-2.0

// Package rmw_dds_common holds the messages of the topic ros_discovery_info,
// which tell the nodes of a DDS participant, in the layout of ROS 2 Humble and
// before: endpoint identifiers of 24 bytes. Package iron below it has the 16
// bytes of later releases. The two do not read each other: a sender chooses
// by receiver.
package rmw_dds_common
