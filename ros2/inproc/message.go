// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"encoding/hex"
	"time"
)

// GID is the identity of an endpoint in the graph, unique in the network.
// Its bytes mean something to the transport only.
type GID [16]byte

// String returns the bytes in hexadecimal.
func (g GID) String() string { return hex.EncodeToString(g[:]) }

// IsZero tells whether g identifies nothing.
func (g GID) IsZero() bool { return g == GID{} }

// Info is what is known about a received message beside its content.
type Info struct {
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

// Received is a message with what is known about it.
type Received[T any] struct {
	Message *T
	Info    Info
}
