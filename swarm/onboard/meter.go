// SPDX-License-Identifier: Apache-2.0

package onboard

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/target/machine"
)

// controlPeriod is how often the driver exchanges commands and readings with the robot's microcontroller.
const controlPeriod = 50 * time.Millisecond

// meter is a robot's bus, and watches from outside when the program on it makes its control cycles.
type meter struct {
	machine.Bus
	now func() time.Time

	mu     sync.Mutex
	last   time.Time
	behind time.Duration
	cycles Cycles
}

// Cycles are the control cycles that the robot has seen, from its first to its last.
type Cycles struct {
	Made int           // exchanges with the microcontroller
	Lost int           // periods of 50 ms that it is behind, by gaps more than a tenth longer
	Late int           // cycles that came more than half a period late
	Gap  time.Duration // the longest time between two
}

// Share is which part of the cycles was lost, 0 to 1.
func (c Cycles) Share() float64 {
	if c.Made+c.Lost == 0 {
		return 0
	}
	return float64(c.Lost) / float64(c.Made+c.Lost)
}

// Tx makes a transfer; an exchange with the microcontroller is a cycle.
func (m *meter) Tx(addr uint16, w, r []byte) error {
	if addr == vmcu.Address && len(w) > 0 {
		m.cycle(m.now())
	}
	return m.Bus.Tx(addr, w, r)
}

// SetTimeout hands the time-out on to a bus that has one.
func (m *meter) SetTimeout(d time.Duration) {
	if b, ok := m.Bus.(interface{ SetTimeout(time.Duration) }); ok {
		b.SetTimeout(d)
	}
}

func (m *meter) cycle(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &m.cycles
	c.Made++
	if c.Made > 1 {
		gap := at.Sub(m.last)
		c.Gap = max(c.Gap, gap)
		if over := gap - controlPeriod; over > controlPeriod/10 {
			m.behind += over
		}
		c.Lost = int(m.behind / controlPeriod)
		if gap > controlPeriod*3/2 {
			c.Late++
		}
	}
	m.last = at
}

func (m *meter) seen() Cycles {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cycles
}
