// SPDX-License-Identifier: Apache-2.0

package vbus

import "time"

// Chip is a virtual chip. The bus calls its methods from the goroutine that
// called Tx, one at a time; a chip that others look at must lock for itself.
// It reads the time from its own clock: the bus has already let the bytes'
// time pass.
type Chip interface {
	// Ready reports whether the chip acknowledges its address now.
	Ready() bool
	// Receive takes the bytes of a write when its last one has arrived and the
	// message has ended by a stop or a repeated start. It returns how many of
	// them it acknowledged; fewer than len(w) make the transfer fail there.
	// w is valid during the call only and is empty for an address probe.
	Receive(w []byte) int
	// Transmit fills r with what the chip sends; the bus calls it at the start
	// of the read, before the bytes' time passes.
	Transmit(r []byte)
	// Disturbed informs the chip of an error on the bus in the middle of a
	// message meant for it: a message cut short, or a clock that hung.
	Disturbed()
}

// Collector is a Chip that keeps what it has heard of a write the adapter gave up,
// and takes no refused byte or hanging clock for an error: those that stop the
// transfer before its read do not disturb it.
type Collector interface {
	// Cut takes the bytes of the write that arrived. ended reports that the adapter
	// made a stop after them; otherwise the message is open until the next start.
	// w is valid during the call only.
	Cut(w []byte, ended bool)
}

// Impatient is a Chip that gives up a message which takes too long, as a slow
// clock makes it: it releases the bus and is disturbed.
type Impatient interface {
	// MessageTimeout returns the longest message it waits for.
	MessageTimeout() time.Duration
}

// Restarter is a Chip that can lose its power for a moment.
type Restarter interface {
	// Restart puts the chip into its state at power-on.
	Restart()
}

// StopSensitive is a Chip that distinguishes a read after a repeated start from one after
// a stop; a camera sensor's SCCB knows no repeated starts.
type StopSensitive interface {
	// RepeatedStart is called between the write and the read of one transfer. It
	// reports whether the chip acknowledges its address then.
	RepeatedStart() bool
}
