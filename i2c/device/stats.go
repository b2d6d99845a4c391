// SPDX-License-Identifier: Apache-2.0

package device

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// State is how far a chip has been started.
type State uint8

// The states.
const (
	// Absent: nothing answers, or it can't be started. The search is repeated.
	Absent State = iota
	// Starting: the chip answers and is being configured.
	Starting
	// Running: the chip measures.
	Running
	// Halted: the chip was switched off by Halt. The next Poll starts it again.
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
	Readings     uint64               // measurements returned
	Rejected     uint64               // measurements discarded: the chip reported a fault, or they were implausible
	Starts       uint64               // successful starts
	Losses       uint64               // times it was lost: no answer, reset, frozen
	FailedStarts uint64               // failed starts
	LastErr      error                // the last error, nil if none
}

// BusErrorTotal is the number of transactions that failed on the bus for any reason.
func (s *Stats) BusErrorTotal() uint64 {
	var n uint64
	for _, k := range s.BusErrors {
		n += k
	}
	return n
}
