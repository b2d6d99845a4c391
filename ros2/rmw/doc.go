// SPDX-License-Identifier: Apache-2.0

// Package rmw is the transport for communication with other ROS 2 machines: ROS's conventions on top of DDS, whose wire
// protocol package ros2/rtps implements.
//
//	cfg, err := rmw.FromEnvironment(os.LookupEnv)
//	transport, err := rmw.New(cfg)
//	defer transport.Close()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
//
// The conventions are those of rmw_fastrtps_cpp and rmw_cyclonedds_cpp from
// ROS 2 Humble on:
//
//   - topic "/a/b" is the DDS topic "rt/a/b", a service the two topics
//     "rq/a/bRequest" and "rr/a/bReply"; "pkg/msg/Name" is the DDS type
//     "pkg::msg::dds_::Name_";
//   - USER_DATA holds "key=value;" pairs: the enclave of a participant, the type
//     hash of an endpoint (since Iron);
//   - each participant publishes its nodes on the topic ros_discovery_info
//     with their endpoints. Identities in that message have 24 bytes
//     in Humble and 16 bytes later. Both forms are read; the written one is
//     chosen for each reader, so both see the complete graph.
package rmw
