// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// drainEvery is how often what the computer takes is put into the battery's account, of simulated time.
const drainEvery = 100 * time.Millisecond

// drain lets the battery pay for what the processor did since the last time, and for radio and camera: more than the
// board takes when idle, which the simulated robot's constant current has in it.
func (own *computer) drain(cfg Config, now time.Duration) {
	counts := own.counts()
	age := now - own.begun
	board, _ := cfg.Parameters.Energy(cfg.Parameters.Of(counts), age.Seconds(), loadOf(cfg, counts))
	extra := board.Likely - cfg.Parameters.Parameters["power_idle"].Likely*age.Seconds()
	if current, ok := own.drained.Current(extra, age); ok {
		own.robot.SetComputer(current)
	}
}

// loadOf is what takes power besides the processor; with the radio on, what the programs send, too. What they send to
// each other, or to themselves, is in that.
func loadOf(cfg Config, counts armcost.Counts) armcost.Load {
	l := cfg.Load
	if l.Radio {
		l.Sent += counts.Events["sent"]
	}
	return l
}

// counts are those of all programs of the computer.
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
