// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// drainEvery is the period at which the battery's current is updated, of simulated time.
const drainEvery = 100 * time.Millisecond

// drain sets the battery's current for the work of processor, radio and camera since the last call: the power above
// the board's idle power, which is part of the simulated robot's constant current.
func (own *computer) drain(cfg Config, now time.Duration) {
	counts := own.counts()
	age := now - own.begun
	board, _ := cfg.Parameters.Energy(cfg.Parameters.Of(counts), age.Seconds(), loadOf(cfg, counts))
	extra := board.Likely - cfg.Parameters.Parameters["power_idle"].Likely*age.Seconds()
	if current, ok := own.drained.Current(extra, age); ok {
		own.robot.SetComputer(current)
	}
}

// loadOf returns the other consumers of power; with the radio on, including what the programs send. Traffic between
// the programs of one computer is included.
func loadOf(cfg Config, counts armcost.Counts) armcost.Load {
	l := cfg.Load
	if l.Radio {
		l.Sent += counts.Events["sent"]
	}
	return l
}

// counts returns the sum of the counts of all programs of the computer.
func (own *computer) counts() armcost.Counts {
	c := armcost.Counts{Events: map[string]float64{}, Calls: map[int]float64{}}
	for _, s := range own.machine.Status() {
		for name, n := range s.Counts.Events {
			c.Events[name] += n
		}
		for number, n := range s.Counts.Calls {
			c.Calls[number] += n
		}
	}
	return c
}
