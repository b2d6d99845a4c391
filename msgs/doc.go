// SPDX-License-Identifier: Apache-2.0

// Package msgs looks up ROS 2 interfaces by name. The interfaces are in the packages below it, one for each ROS package
// and with its name (sensor_msgs, std_srvs …). They are generated from the .msg, .srv and .action files in their
// folders, with CDR encoding and decoding and the RIHS01 type hash.
//
// A field has its ROS name in Go's form (child_frame_id is ChildFrameID), a constant is prefixed with its message
// (RangeInfrared), a service has NameRequest, NameResponse and a descriptor Name. Arrays are Go arrays, sequences are
// slices. Values and units are those of the definitions: SI unless stated otherwise.
//
// Go has no bounded types, so a sequence or string over its bound is detected during encoding: it sets the Encoder's
// sticky error, and the message is not sent. Decoding rejects it before allocating.
//
// Definitions are those of ROS 2 Humble. If a type has another layout on the wire in a later release, a package below
// the ROS package has it: rmw_dds_common/iron, sensor_msgs/jazzy.
//
// To add an interface, write its file with comments on the type and all fields, add a doc.go if the ROS package is new,
// and run go generate ./msgs/...; the tests compare its type hash with that of ROS 2. Other modules generate their own
// interfaces with cmd/msggen.
package msgs

import "github.com/epuck-ros2/epuck-driver/msgs/cdr"

//go:generate go run ./internal/msggen -lookup github.com/epuck-ros2/epuck-driver/msgs

// Message is implemented by every generated message, request and response.
type Message interface {
	cdr.Message
	// ROSType returns the full name, "sensor_msgs/msg/Range".
	ROSType() string
	// TypeHash returns the RIHS01 hash of the definition.
	TypeHash() string
}

// Service is implemented by every generated service descriptor. Lookup finds its request and response by its name and
// "_Request" or "_Response".
type Service interface {
	// ROSType returns the full name, "std_srvs/srv/Trigger".
	ROSType() string
	// TypeHash returns the RIHS01 hash of the service as a whole.
	TypeHash() string
}
