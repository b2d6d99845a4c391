// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// chip puts a virtual chip on a robot's bus: each call advances the world
// to the clock's time first, under the simulation's lock.
type chip struct {
	r     *Firmware
	inner vbus.Chip
}

// processor is the chip of a robot's main processor, which stretches the clock
// for a bounded time and does not answer while its reset line is active.
type processor struct {
	chip
}

var (
	_ vbus.Chip          = chip{}
	_ vbus.Restarter     = chip{}
	_ vbus.StopSensitive = chip{}
	_ vbus.Impatient     = processor{}
	_ vbus.Collector     = processor{}
)

// enter locks the simulation and advances it and the robot's own motors to the time of the clock.
func (c chip) enter() *Simulation {
	s := c.r.sim
	s.mu.Lock()
	s.kernel.Reach()
	c.r.mcu.Advance(s.kernel.Time())
	return s
}

// Ready implements vbus.Chip.
func (c chip) Ready() bool {
	defer c.enter().mu.Unlock()
	return !c.r.dark && c.inner.Ready()
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
	return !c.r.held && !c.r.dark && c.inner.Ready()
}

// Cut implements vbus.Collector.
func (c processor) Cut(w []byte, ended bool) {
	defer c.enter().mu.Unlock()
	c.r.mcu.Cut(w, ended)
}

// MessageTimeout implements vbus.Impatient.
func (processor) MessageTimeout() time.Duration { return vmcu.MessageTimeout }
