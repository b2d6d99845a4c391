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

// controlPeriod is the period at which the driver exchanges commands and readings with the robot's microcontroller.
const controlPeriod = 50 * time.Millisecond

// meter is a robot's bus that counts the control cycles of the program that uses it.
type meter struct {
	machine.Bus
	now func() time.Time

	mu   sync.Mutex
	beat core.CycleCounter
}

// Tx performs a transfer; an exchange with the microcontroller counts as a control cycle.
func (m *meter) Tx(addr uint16, w, r []byte) error {
	if addr == vmcu.Address && len(w) > 0 {
		m.cycle(m.now())
	}
	return m.Bus.Tx(addr, w, r)
}

// SetTimeout sets the time-out of the bus if it supports one.
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
