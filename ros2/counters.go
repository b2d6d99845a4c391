// SPDX-License-Identifier: Apache-2.0

package ros2

// CounterKind says what it means if a counter rises.
type CounterKind uint8

// Kinds of counters.
const (
	// CountDone: things done, or held now.
	CountDone CounterKind = iota
	// CountDropped: things dropped, as happens on any network.
	CountDropped
	// CountRefused: things dropped that no healthy network brings: malformed,
	// forged, or more than one may send.
	CountRefused
	// CountCongested: things dropped because the network takes less than is sent.
	CountCongested
	// CountCrowded: nodes or endpoints not seen because there are more than a limit
	// of the transport allows.
	CountCrowded
)

// Counter is one number of what a transport has done, or dropped, since its start.
type Counter struct {
	// Name is for people and programs, as in "dropped: malformed". It does not
	// change while the program runs.
	Name  string
	Kind  CounterKind
	Value uint64
}

// CountingTransport is a [Transport] that counts what it does and what it drops.
type CountingTransport interface {
	Transport
	// Counters appends all counters to dst, in an order that does not change,
	// and returns it.
	Counters(dst []Counter) []Counter
}
