// SPDX-License-Identifier: Apache-2.0

// Package msgs finds ROS 2 interfaces by name. The interfaces themselves are
// in the packages below it, one for each ROS package and named like it
// (sensor_msgs, std_srvs …, as ROS users know them). They are generated from
// the .msg and .srv files beside them, with CDR encoding and decoding and the
// RIHS01 type hash.
//
// A field keeps its ROS name in Go's form (child_frame_id is ChildFrameID), a
// constant is prefixed with its message (RangeInfrared), a service has
// NameRequest and NameResponse and a descriptor of its own name. Arrays are Go
// arrays, sequences are slices. Values and units are those of the definitions:
// SI unless a comment says otherwise.
//
// Go has no bounded types, so a sequence or string over its bound is found
// when it is encoded: it becomes the Encoder's sticky error, and the message
// is not sent. Decoding refuses it before allocating.
//
// Definitions are those of ROS 2 Humble. Where a later release has another
// layout on the wire, a package below the ROS package holds it:
// rmw_dds_common/iron, sensor_msgs/jazzy.
//
// To add an interface, write its file with a comment on everything, add a
// doc.go if the ROS package is new, and run go generate ./msgs/...; the tests
// compare its type hash with that of ROS 2. Other modules generate their own
// interfaces with cmd/msggen.
package msgs

import "github.com/epuck-ros2/epuck-driver/msgs/cdr"

//go:generate go run ./internal/msggen -lookup github.com/epuck-ros2/epuck-driver/msgs

// Message is what every generated message and service half can do.
type Message interface {
	cdr.Message
	// ROSType returns the full name, "sensor_msgs/msg/Range".
	ROSType() string
	// TypeHash returns the RIHS01 hash of the definition.
	TypeHash() string
}

// Service is what every generated service descriptor can do. Its halves are
// found with Lookup under its name and "_Request" or "_Response".
type Service interface {
	// ROSType returns the full name, "std_srvs/srv/Trigger".
	ROSType() string
	// TypeHash returns the RIHS01 hash of the service as a whole.
	TypeHash() string
}
