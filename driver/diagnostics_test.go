// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// The counters of the robot's bus are the sums of the parts' and the main processor's: nothing is lost or counted
// twice, and failed transactions carry no bytes.
func TestExchangesAreAddedToTheBus(t *testing.T) {
	small := rapid.Uint64Range(0, 1<<20)
	rapid.Check(t, func(t *rapid.T) {
		of := i2c.Stats{Transactions: small.Draw(t, "parts'"), Written: small.Draw(t, "written"), Read: small.Draw(t, "read"),
			Busy: time.Duration(small.Draw(t, "busy")), Longest: time.Duration(small.Draw(t, "longest"))}
		var exchanges mcu.Stats
		failed := uint64(0)
		for kind := i2c.KindNone + 1; kind < i2c.NumKinds; kind++ {
			of.Errors[kind], exchanges.BusErrors[kind] = small.Draw(t, "part failed"), small.Draw(t, "exchange failed")
			failed += exchanges.BusErrors[kind]
		}
		good := small.Draw(t, "good")
		exchanges.Transactions = good + failed
		busy, longest := time.Duration(small.Draw(t, "busy with exchanges")), time.Duration(small.Draw(t, "longest exchange"))
		sum := of
		addExchanges(&sum, &exchanges, busy, longest)
		if sum.Transactions != of.Transactions+good+failed || sum.Failed() != of.Failed()+failed {
			t.Errorf("%d transactions, %d failed", sum.Transactions, sum.Failed())
		}
		if sum.Written != of.Written+good*mcu.CommandSize || sum.Read != of.Read+good*mcu.SensorsSize {
			t.Errorf("%d bytes written, %d read", sum.Written, sum.Read)
		}
		if sum.Busy != of.Busy+busy || sum.Longest < of.Longest || sum.Longest < longest {
			t.Errorf("busy %v, longest %v", sum.Busy, sum.Longest)
		}
	})
}

// The last error of the bus is that of a part, if one failed; else the main processor's, if it failed on the bus: a
// bad checksum is no fault of the bus.
func TestLastErrorOfTheBus(t *testing.T) {
	part, exchange := errors.New("part"), errors.New("exchange")
	onBus := mcu.Stats{Transactions: 2, LastErr: exchange}
	onBus.BusErrors[i2c.KindNone+1] = 1
	for _, c := range []struct {
		name  string
		parts error
		mcu   mcu.Stats
		want  error
	}{
		{"nothing failed", nil, mcu.Stats{Transactions: 2}, nil},
		{"a part failed", part, mcu.Stats{Transactions: 2}, part},
		{"an exchange failed", nil, onBus, exchange},
		{"both failed", part, onBus, part},
		{"a checksum was bad", nil, mcu.Stats{Transactions: 2, Checksum: 1, LastErr: exchange}, nil},
	} {
		s := i2c.Stats{LastErr: c.parts}
		addExchanges(&s, &c.mcu, 0, 0)
		if !errors.Is(s.LastErr, c.want) {
			t.Errorf("%s: %v, want %v", c.name, s.LastErr, c.want)
		}
	}
}

// A snapshot contains the state of every component of the driver, and nothing for those that the robot does not have.
func TestSnapshot(t *testing.T) {
	for _, c := range []struct {
		name   string
		config func(c *Config)
		board  bool
	}{
		{"a bare robot", nil, false},
		{"with a board", func(c *Config) { chipsOf(c).BoardBus, chipsOf(c).Files = &boardBus{}, newBatteryFiles(3.9) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", sim: sim.Options{Seed: 1, Now: time.Now, Sleep: pass}, config: c.config})
				r.transport.SetCounters(ros2.Counter{Name: "sent", Value: 7})
				time.Sleep(3 * time.Second)
				var s health.Snapshot
				for range 2 { // the second time into memory that was used before
					r.driver.sample(&s)
				}
				if s.HasBoard != c.board || s.HasCamera || (s.Battery.Robot.Voltage > 3) != c.board {
					t.Errorf("board %v, camera %v, battery %v V", s.HasBoard, s.HasCamera, s.Battery.Robot.Voltage)
				}
				if len(s.Network) != 1 || s.Network[0].Value != 7 {
					t.Errorf("network: %+v", s.Network)
				}
				if n := s.Robot.Bus.Exchanges; n < 59 || n > 62 || s.Bus.Transactions < s.Robot.Bus.Transactions {
					t.Errorf("%d exchanges in 3 s, %d transactions of %d", n, s.Robot.Bus.Transactions, s.Bus.Transactions)
				}
				if s.Robot.Lost || !s.Robot.Readings || s.Robot.Period != 50*time.Millisecond {
					t.Errorf("%+v", s.Robot)
				}
				r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
				time.Sleep(3 * time.Second)
				if r.driver.sample(&s); !s.Robot.Lost || s.Bus.LastErr == nil || s.Bus.Failed() == 0 {
					t.Errorf("without an answer: lost %v, last error %v, %d failed", s.Robot.Lost, s.Bus.LastErr, s.Bus.Failed())
				}
			})
		})
	}
}
