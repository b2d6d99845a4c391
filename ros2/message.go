// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Message is implemented by types that can be sent on a topic. Generated message types implement it on their pointer.
type Message interface {
	cdr.Message
	// ROSType returns the interface name, as in "nav_msgs/msg/Odometry".
	ROSType() string
	// TypeHash returns the hash of the type's description, "RIHS01_" and 64
	// hexadecimal digits (REP 2016).
	TypeHash() string
}

// MessageOf is the constraint of [NewPublisher] and [NewSubscription]: the pointer to T is a [Message]. It is inferred.
type MessageOf[T any] interface {
	*T
	Message
}

// GID is the identity of an endpoint in the graph, unique in the network.
type GID = inproc.GID

// MessageInfo is the metadata of a received message.
type MessageInfo = inproc.Info
