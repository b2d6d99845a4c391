// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/vmcu"
)

// chip puts a virtual chip on a robot's bus: each call lets the world catch up
// with the clock first, under the simulation's lock.
type chip struct {
	sim   *Simulation
	inner vbus.Chip
}

// processor is the chip of a robot's main processor, which waits for no message
// longer than it likes and sleeps while its reset line is held.
type processor struct {
	chip
	r *Robot
}

var (
	_ vbus.Chip          = chip{}
	_ vbus.Restarter     = chip{}
	_ vbus.StopSensitive = chip{}
	_ vbus.Impatient     = processor{}
)

// enter locks the simulation and lets it catch up.
func (c chip) enter() *Simulation {
	c.sim.mu.Lock()
	c.sim.catchUp()
	return c.sim
}

// Ready implements vbus.Chip.
func (c chip) Ready() bool {
	defer c.enter().mu.Unlock()
	return c.inner.Ready()
}

// Receive implements vbus.Chip.
func (c chip) Receive(w []byte) int {
	defer c.enter().mu.Unlock()
	return c.inner.Receive(w)
}

// Transmit implements vbus.Chip.
func (c chip) Transmit(r []byte) {
	defer c.enter().mu.Unlock()
	c.inner.Transmit(r)
}

// Disturbed implements vbus.Chip.
func (c chip) Disturbed() {
	defer c.enter().mu.Unlock()
	c.inner.Disturbed()
}

// Restart implements vbus.Restarter.
func (c chip) Restart() {
	defer c.enter().mu.Unlock()
	if r, ok := c.inner.(vbus.Restarter); ok {
		r.Restart()
	}
}

// RepeatedStart implements vbus.StopSensitive.
func (c chip) RepeatedStart() bool {
	defer c.enter().mu.Unlock()
	s, ok := c.inner.(vbus.StopSensitive)
	return !ok || s.RepeatedStart()
}

// Ready implements vbus.Chip.
func (c processor) Ready() bool {
	defer c.enter().mu.Unlock()
	return !c.r.held && c.inner.Ready()
}

// MessageTimeout implements vbus.Impatient.
func (processor) MessageTimeout() time.Duration { return vmcu.MessageTimeout }
