// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// sample takes a snapshot. It may be called from any goroutine.
func (d *Driver) sample(s *health.Snapshot) {
	d.statusInto(&s.Robot)
	b := d.battery.get()
	s.Bus, s.Battery, s.Level = d.bus.meter.Stats(), b.Reading, b.Level
	busy, longest := d.status.exchanges()
	addExchanges(&s.Bus, &s.Robot.Bus, busy, longest)
	if d.board.meter != nil {
		s.Board, s.HasBoard = d.board.meter.Stats(), true
	}
	s.Network = s.Network[:0]
	if t, ok := d.node.Transport().(ros2.CountingTransport); ok {
		s.Network = t.Counters(s.Network)
	}
	if d.pictures != nil {
		s.Camera, s.HasCamera = d.pictures.Status(), true
	}
}

// addExchanges adds the main processor's transactions to those of the parts on the same bus.
func addExchanges(s *i2c.Stats, c *mcu.Stats, busy, longest time.Duration) {
	s.Transactions += c.Transactions
	for i, n := range c.BusErrors {
		s.Errors[i] += n
	}
	good := c.Transactions - c.BusErrorTotal()
	s.Written, s.Read = s.Written+good*mcu.CommandSize, s.Read+good*mcu.SensorsSize
	s.Busy, s.Longest = s.Busy+busy, max(s.Longest, longest)
	if s.LastErr == nil && c.BusErrorTotal() > 0 {
		s.LastErr = c.LastErr
	}
}

// batteryBoard is where the board's goroutine leaves the latest battery reading for others.
type batteryBoard struct {
	mu     sync.Mutex
	latest table.BatteryReading
}

func (b *batteryBoard) put(r table.BatteryReading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.latest = r
}

func (b *batteryBoard) get() table.BatteryReading {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest
}
