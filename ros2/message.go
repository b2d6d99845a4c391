// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"encoding/hex"
	"time"

	"github.com/epuck-ros2/epuck-driver/cdr"
)

// Message is what a type must do to travel on a topic. Generated message
// types implement it on their pointer.
type Message interface {
	cdr.Message
	// ROSType returns the interface name, as in "nav_msgs/msg/Odometry".
	ROSType() string
	// TypeHash returns the hash of the type's description, "RIHS01_" and 64
	// hexadecimal digits (REP 2016).
	TypeHash() string
}

// MessageOf is the constraint of [NewPublisher] and [NewSubscription]: the
// pointer to T is a [Message]. It is inferred, nobody has to spell it.
type MessageOf[T any] interface {
	*T
	Message
}

// GID is the identity of an endpoint in the graph, unique in the network.
// Its bytes mean something to the transport only.
type GID [16]byte

// String returns the bytes in hexadecimal.
func (g GID) String() string { return hex.EncodeToString(g[:]) }

// IsZero tells whether g identifies nothing.
func (g GID) IsZero() bool { return g == GID{} }

// MessageInfo is what is known about a received message beside its content.
type MessageInfo struct {
	// SourceTime is when the publisher sent the message, by the clock of the
	// publisher's machine; zero when the transport did not say.
	SourceTime time.Time
	// ReceivedTime is when the transport took the message in, by the clock of
	// this machine.
	ReceivedTime time.Time
	// Publisher identifies the publisher.
	Publisher GID
	// Sequence is the publisher's running number of the message, from 1.
	Sequence int64
}
