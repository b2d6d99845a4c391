// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/vmcu"
)

// chip puts a robot's processor on its bus: each call lets the world catch up
// with the clock first, under the simulation's lock.
type chip struct{ r *Robot }

var (
	_ vbus.Chip      = chip{}
	_ vbus.Restarter = chip{}
	_ vbus.Impatient = chip{}
)

// enter locks the simulation and lets it catch up.
func (c chip) enter() *Simulation {
	s := c.r.sim
	s.mu.Lock()
	s.catchUp()
	return s
}

// Ready implements vbus.Chip.
func (c chip) Ready() bool {
	defer c.enter().mu.Unlock()
	return c.r.mcu.Ready()
}

// Receive implements vbus.Chip.
func (c chip) Receive(w []byte) int {
	defer c.enter().mu.Unlock()
	return c.r.mcu.Receive(w)
}

// Transmit implements vbus.Chip.
func (c chip) Transmit(r []byte) {
	defer c.enter().mu.Unlock()
	c.r.mcu.Transmit(r)
}

// Disturbed implements vbus.Chip.
func (c chip) Disturbed() {
	defer c.enter().mu.Unlock()
	c.r.mcu.Disturbed()
}

// Restart implements vbus.Restarter.
func (c chip) Restart() {
	defer c.enter().mu.Unlock()
	c.r.mcu.Restart()
}

// MessageTimeout implements vbus.Impatient.
func (c chip) MessageTimeout() time.Duration { return vmcu.MessageTimeout }
