// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// sample is a snapshot of everything that diagnostics are made from.
type sample struct {
	robot      Status
	bus, board i2c.Stats
	hasBoard   bool
	battery    batteryReading
	camera     camera.Status
	hasCamera  bool
	network    []ros2.Counter // of the transport
}

// sample takes a snapshot. It may be called from any goroutine.
func (d *Driver) sample(s *sample) {
	d.statusInto(&s.robot)
	s.bus, s.battery = d.bus.meter.Stats(), d.battery.get()
	busy, longest := d.status.exchanges()
	addExchanges(&s.bus, &s.robot.Bus, busy, longest)
	if d.board.meter != nil {
		s.board, s.hasBoard = d.board.meter.Stats(), true
	}
	s.network = s.network[:0]
	if t, ok := d.node.Transport().(ros2.CountingTransport); ok {
		s.network = t.Counters(s.network)
	}
	if d.pictures != nil {
		s.camera, s.hasCamera = d.pictures.Status(), true
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

// part gives the status of a part in both snapshots, zero if the robot has no such part.
func (v *vitals) part(name parts.Name) (now, before PartStatus) {
	return findPart(v.now.robot.Parts, name), findPart(v.before.robot.Parts, name)
}

func findPart(all []PartStatus, name parts.Name) PartStatus {
	for _, p := range all {
		if p.Name == string(name) {
			return p
		}
	}
	return PartStatus{}
}

// failing tells whether more than a twentieth of the main processor's transactions between two snapshots failed. Other
// chips' don't count: a bus on which an absent one is looked for is as good as any.
func failing(now, before *mcu.Stats) bool {
	return (now.Errors()-before.Errors())*20 > now.Transactions-before.Transactions
}

// perSecond gives the rate of a counter between the snapshots.
func (v *vitals) perSecond(now, before uint64) float64 {
	if v.elapsed <= 0 {
		return 0
	}
	return float64(now-before) / v.elapsed.Seconds()
}

// risen gives by how much the transport's counters of one kind have risen between the snapshots.
func (v *vitals) risen(kind ros2.CounterKind) (n uint64) {
	if len(v.now.network) != len(v.before.network) {
		return 0
	}
	for i, c := range v.now.network {
		if c.Kind == kind {
			n += c.Value - v.before.network[i].Value
		}
	}
	return n
}

// batteryBoard is where the board's goroutine leaves the latest battery reading for others.
type batteryBoard struct {
	mu     sync.Mutex
	latest batteryReading
}

func (b *batteryBoard) put(r batteryReading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.latest = r
}

func (b *batteryBoard) get() batteryReading {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest
}
