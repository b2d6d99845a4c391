// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"encoding/hex"
	"time"
)

// GID is the identity of an endpoint in the graph, unique in the network. Its bytes are meaningful to the transport
// only.
type GID [16]byte

// String returns the bytes in hexadecimal.
func (g GID) String() string { return hex.EncodeToString(g[:]) }

// IsZero reports whether g is zero, which identifies nothing.
func (g GID) IsZero() bool { return g == GID{} }

// Info is the metadata of a received message.
type Info struct {
	// SourceTime is when the publisher sent the message, by the clock of the publisher's machine; zero if unknown.
	SourceTime time.Time
	// ReceivedTime is when the transport received the message, by the clock of this machine.
	ReceivedTime time.Time
	// Publisher identifies the publisher.
	Publisher GID
	// Sequence is the publisher's running number of the message, from 1.
	Sequence int64
}

// Received is a message with its metadata.
type Received[T any] struct {
	Message *T
	Info    Info
}
