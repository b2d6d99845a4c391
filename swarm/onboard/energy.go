// SPDX-License-Identifier: Apache-2.0

package onboard

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/target"
)

const (
	// drainEvery is how often what the computer takes is put into the battery's account, of simulated time.
	drainEvery = 100 * time.Millisecond
	// cellVoltage is the battery's, V: what the board takes at 5 V comes through a converter, held to lose nothing.
	cellVoltage = 3.7
)

// drain remembers up to where the battery has paid.
type drain struct {
	joules float64
	at     time.Duration
}

// drain lets the battery pay for what the processor did since the last time, and for radio and camera: more than the
// board takes when idle, which the simulated robot's constant current has in it.
func (own *computer) drain(cfg Config, now time.Duration) {
	e := cfg.Parameters.Of(own.counts())
	age := (now - own.begun).Seconds()
	board, _ := cfg.Parameters.Energy(e, age, own.load(cfg))
	extra := board.Likely - cfg.Parameters.Parameters["power_idle"].Likely*age
	passed := (now - own.drained.at).Seconds()
	if passed > 0 {
		own.robot.SetComputer((extra - own.drained.joules) / passed / cellVoltage)
	}
	own.drained = drain{extra, now}
}

// load is what takes power besides the processor; with the radio on, what the programs send is not counted yet.
func (own *computer) load(cfg Config) target.Load { return cfg.Load }

// counts are those of all programs of the computer.
func (own *computer) counts() target.Counts {
	c := target.Counts{Events: map[string]float64{}, Calls: map[int]float64{}}
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
