// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// chip puts a virtual chip on a robot's bus: each call advances the world
// to the clock's time first, under the world's lock.
type chip struct {
	r     *dynamics
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

// enter locks the world and advances it and the robot's own motors to the time of the clock.
func (c chip) enter() *plant.World {
	x := c.r.World()
	x.Lock()
	x.Kernel.Reach()
	c.r.mcu.Advance(x.Kernel.Time())
	return x
}

// Ready implements vbus.Chip.
func (c chip) Ready() bool {
	defer c.enter().Unlock()
	return !c.r.dark && c.inner.Ready()
}

// Receive implements vbus.Chip.
func (c chip) Receive(w []byte) int {
	defer c.enter().Unlock()
	return c.inner.Receive(w)
}

// Transmit implements vbus.Chip.
func (c chip) Transmit(r []byte) {
	defer c.enter().Unlock()
	c.inner.Transmit(r)
}

// Disturbed implements vbus.Chip.
func (c chip) Disturbed() {
	defer c.enter().Unlock()
	c.inner.Disturbed()
}

// Restart implements vbus.Restarter.
func (c chip) Restart() {
	defer c.enter().Unlock()
	if r, ok := c.inner.(vbus.Restarter); ok {
		r.Restart()
	}
}

// RepeatedStart implements vbus.StopSensitive.
func (c chip) RepeatedStart() bool {
	defer c.enter().Unlock()
	s, ok := c.inner.(vbus.StopSensitive)
	return !ok || s.RepeatedStart()
}

// Ready implements vbus.Chip.
func (c processor) Ready() bool {
	defer c.enter().Unlock()
	return !c.r.held && !c.r.dark && c.inner.Ready()
}

// Cut implements vbus.Collector.
func (c processor) Cut(w []byte, ended bool) {
	defer c.enter().Unlock()
	c.r.mcu.Cut(w, ended)
}

// MessageTimeout implements vbus.Impatient.
func (processor) MessageTimeout() time.Duration { return vmcu.MessageTimeout }
