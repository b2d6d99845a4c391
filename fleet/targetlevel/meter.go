// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// controlPeriod is how often the driver exchanges commands and readings with the robot's microcontroller.
const controlPeriod = 50 * time.Millisecond

// meter is a robot's bus, and watches from outside when the program on it makes its control cycles.
type meter struct {
	machine.Bus
	now func() time.Time

	mu   sync.Mutex
	beat core.Beat
}

// Tx makes a transfer; an exchange with the microcontroller is a cycle.
func (m *meter) Tx(addr uint16, w, r []byte) error {
	if addr == vmcu.Address && len(w) > 0 {
		m.cycle(m.now())
	}
	return m.Bus.Tx(addr, w, r)
}

// SetTimeout sets the time-out of a bus that has one.
func (m *meter) SetTimeout(d time.Duration) {
	if b, ok := m.Bus.(interface{ SetTimeout(time.Duration) }); ok {
		b.SetTimeout(d)
	}
}

func (m *meter) cycle(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.beat.Cycle(at, controlPeriod)
}

func (m *meter) seen() core.Cycles {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.beat.Cycles()
}
