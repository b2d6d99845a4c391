// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// statusOf finds the status of a component in a message.
func statusOf(r *rig, m *diagnostic_msgs.DiagnosticArray, name string) diagnostic_msgs.DiagnosticStatus {
	r.Helper()
	for _, s := range m.Status {
		if strings.HasSuffix(s.Name, ": "+name) {
			return s
		}
	}
	r.Fatalf("there is no status of %q", name)
	return diagnostic_msgs.DiagnosticStatus{}
}

func valueOf(r *rig, s diagnostic_msgs.DiagnosticStatus, key string) string {
	r.Helper()
	for _, v := range s.Values {
		if v.Key == key {
			return v.Value
		}
	}
	r.Fatalf("status %q has no %q", s.Name, key)
	return ""
}

func numberOf(r *rig, s diagnostic_msgs.DiagnosticStatus, key string) float64 {
	r.Helper()
	v, err := strconv.ParseFloat(valueOf(r, s, key), 64)
	r.must(err)
	return v
}

// codes lists the conditions that are raised in a status.
func codes(s diagnostic_msgs.DiagnosticStatus) (all []string) {
	for _, v := range s.Values {
		if v.Key == "condition" {
			all = append(all, v.Value)
		}
	}
	return all
}

// A healthy robot has a status for everything, all of them OK, with the actual rates.
func TestDiagnosticsOfAHealthyRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "arena", parts: true, args: "-r __ns:=/robot1", sim: sim.Options{Seed: 1, Now: time.Now, Sleep: pass},
			config: func(c *Config) { chipsOf(c).BoardBus, chipsOf(c).Files = &boardBus{}, newBatteryFiles(3.9) }})
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		discard[sensor_msgs.Imu](r, "/robot1/imu")
		discard[jazzy.Range](r, "/robot1/tof")
		discard[jazzy.Range](r, "/robot1/gs0")
		time.Sleep(10*time.Second + 30*time.Millisecond) // the last one follows the cycle at 10 s
		if n := len(reports()); n != 10 {
			t.Errorf("%d messages in 10 s", n)
		}
		m := last(r, reports)
		for _, name := range []string{health.StatusLoop, health.StatusNetwork, health.StatusRobotBus, health.StatusBoardBus, health.StatusMCU, "imu", "tof", "ground", "leds", "battery"} {
			s := statusOf(r, m, name)
			if s.Level != diagnostic_msgs.DiagnosticStatusOK || s.Name != "robot1/epuck_driver: "+name || s.Message == "" {
				t.Errorf("%+v", s)
			}
			if n := len(s.Values); n < 4 {
				t.Errorf("%s has %d values", name, n)
			}
		}
		for name, want := range map[string]float64{health.StatusLoop: 20, "imu": 20, "tof": 20, "ground": 20, "battery": 1} {
			if got := numberOf(r, statusOf(r, m, name), "rate (Hz)"); got < 0.9*want || got > 1.1*want {
				t.Errorf("%s: %v Hz, want %v", name, got, want)
			}
		}
		if load := numberOf(r, statusOf(r, m, health.StatusRobotBus), "load (%)"); load < 12 || load > 60 {
			t.Errorf("bus load %v %%", load)
		}
		if v := valueOf(r, statusOf(r, m, health.StatusNetwork), "transport"); v != "memory" {
			t.Errorf("transport %q", v)
		}
		if v := numberOf(r, statusOf(r, m, "battery"), "voltage (V)"); v < 3.88 || v > 3.92 {
			t.Errorf("battery %v V", v)
		}
	})
}

// count lets the transport count n more of a kind, after it has been seen with none.
func (r *rig) count(kind ros2.CounterKind, n uint64) {
	c := ros2.Counter{Name: "dropped: something", Kind: kind}
	r.transport.SetCounters(c)
	time.Sleep(3 * time.Second)
	c.Value = n
	r.transport.SetCounters(c)
}

// The network's status has the transport's counters; what happens on any network raises no condition.
func TestDiagnosticsCountDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, everything(1))
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		r.count(ros2.CountDropped, 1e6)
		time.Sleep(2 * time.Second)
		s := statusOf(r, last(r, reports), health.StatusNetwork)
		if v := valueOf(r, s, "dropped: something"); v != "1000000" || s.Level != diagnostic_msgs.DiagnosticStatusOK {
			t.Errorf("%+v", s)
		}
	})
}

// Each fault raises its condition in the right status with its severity, and clears it afterwards.
func TestFaultsRaiseTheirConditions(t *testing.T) {
	tof := func(r *rig) *vbus.Faults { return r.robot.Bus().FaultsAt(vl53l0x.Addr) }
	for _, c := range []struct {
		code        string
		break_, fix func(r *rig)
	}{
		{"mcu.lost", func(r *rig) { r.must(r.robot.Bus().FaultsAt(0x1F).Hold(vbus.Fault{Kind: vbus.NAK})) },
			func(r *rig) { r.must(r.robot.Bus().FaultsAt(0x1F).Hold(vbus.Fault{})) }},
		{"mcu.selector", func(r *rig) { r.must(r.robot.TurnSelector(3)) }, func(r *rig) { r.must(r.robot.TurnSelector(10)) }},
		{"robot_bus.errors", func(r *rig) { r.must(r.robot.Bus().FaultsAt(0x1F).SetRates(vbus.Rates{CorruptRead: 0.3})) },
			func(r *rig) { r.must(r.robot.Bus().FaultsAt(0x1F).SetRates(vbus.Rates{})) }},
		{"tof.lost", func(r *rig) { r.must(r.robot.RemovePart(world.ToF)) }, func(r *rig) { r.must(r.robot.AddPart(world.ToF)) }},
		{"tof.failing", func(r *rig) { r.must(tof(r).SetRates(vbus.Rates{NAK: 0.08})) },
			func(r *rig) { r.must(tof(r).SetRates(vbus.Rates{})) }},
		{"network.refused", func(r *rig) {
			_ = listenTo[diagnostic_msgs.DiagnosticArray](r, "imu_unused")
			r.driver.refused.Add(1)
		}, func(*rig) {}},
		{"network.hostile", func(r *rig) { r.count(ros2.CountRefused, 100) }, func(*rig) {}},
		{"network.congested", func(r *rig) { r.count(ros2.CountCongested, 1) }, func(*rig) {}},
		{"network.crowded", func(r *rig) { r.count(ros2.CountCrowded, 1) }, func(*rig) {}},
	} {
		if !suite.Long && !strings.HasPrefix(c.code, "tof") {
			continue
		}
		t.Run(c.code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, everything(1))
				reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
				row := health.Conditions()[slices.IndexFunc(health.Conditions(), func(row health.Condition) bool { return row.Code == c.code })]
				raisedSince := func(from int) (n int) {
					for _, m := range reports()[from:] {
						s := statusOf(r, m, row.Status)
						if !slices.Contains(codes(s), c.code) {
							continue
						}
						n++
						if s.Level < uint8(row.Severity) || !strings.Contains(s.Message, row.Text) {
							t.Errorf("%+v", s)
						}
					}
					return n
				}
				time.Sleep(5 * time.Second)
				if raisedSince(0) != 0 {
					t.Error("raised before")
				}
				from := len(reports())
				c.break_(r)
				time.Sleep(10 * time.Second)
				if raisedSince(from) == 0 {
					t.Errorf("not raised\n%v", r.log)
				}
				c.fix(r)
				time.Sleep(5 * time.Second)
				from = len(reports())
				time.Sleep(3 * time.Second)
				if raisedSince(from) != 0 {
					t.Error("raised afterwards")
				}
			})
		})
	}
}

func TestReportIsNotBuiltWithoutSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		time.Sleep(5 * time.Second)
		if n := r.driver.diagnostics.out.Status().Messages; n != 0 {
			t.Errorf("%d messages were built", n)
		}
	})
}
