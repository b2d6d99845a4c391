// SPDX-License-Identifier: Apache-2.0

package device

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// State says how far a chip has been brought up.
type State uint8

// The states.
const (
	// Absent: nothing answers, or it cannot be brought up. It is looked for again from time to time.
	Absent State = iota
	// Starting: the chip answers and is being configured.
	Starting
	// Running: the chip measures.
	Running
	// Halted: the chip was switched off by Halt. The next Poll brings it up again.
	Halted
	numStates
)

var stateNames = [numStates]string{"absent", "starting", "running", "halted"}

// String names the state.
func (s State) String() string {
	if s < numStates {
		return stateNames[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// Stats are the counters of a chip since it was made.
type Stats struct {
	Transactions uint64               // bus transactions made
	BusErrors    [i2c.NumKinds]uint64 // transactions that failed on the bus, by reason
	Readings     uint64               // measurements handed on
	Rejected     uint64               // measurements that were not: the chip reported a fault, or they were implausible
	Starts       uint64               // times the chip was brought up
	Losses       uint64               // times it was lost: no answer, reset, frozen
	FailedStarts uint64               // bring-ups that were given up
	LastErr      error                // the last thing that went wrong, nil if nothing did
}

// BusErrorTotal is the number of transactions that failed on the bus for any reason.
func (s *Stats) BusErrorTotal() uint64 {
	var n uint64
	for _, k := range s.BusErrors {
		n += k
	}
	return n
}
