// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// low is the text of a world with a robot whose battery lasts for a few seconds.
func low(level, more string) string {
	return fmt.Sprintf("%s\nrobots: [{name: r, level: %s, battery: {capacity: 100, charge: 0.03}}]", more, level)
}

// TestEmptyBatteryStopsTheRobot: at both levels first the motors lose their torque, then the robot is silent and dark;
// the charger restores it, at rest.
func TestEmptyBatteryStopsTheRobot(t *testing.T) {
	var weakAt, deadAt [2]time.Duration
	for i, level := range []string{"firmware", "functional"} {
		s, clock := pushers(t, low(level, ""), Options{BootTime: -1})
		r := s.Robots()[0]
		until := func(what string, f func(m GroundTruth) bool) time.Duration {
			for range 3000 {
				if f(r.GroundTruth()) {
					return s.Elapsed()
				}
				clock.Sleep(10 * time.Millisecond)
			}
			t.Fatalf("%s: never %s", level, what)
			return 0
		}
		weakAt[i] = until("weak", func(m GroundTruth) bool { return m.Weak })
		at := r.GroundTruth()
		if at.Dead || at.Pose.X < 0.3 {
			t.Errorf("%s: when the motors stop: %+v", level, at)
		}
		deadAt[i] = until("dead", func(m GroundTruth) bool { return m.Dead })
		m := r.GroundTruth()
		if m.Pose != at.Pose || m.V != 0 || m.LeftSpeed != 0 {
			t.Errorf("%s: it still drives: %+v", level, m)
		}
		for _, robot := range RobotsOf[*Firmware](s) {
			if err := robot.Bus().Tx(0x1F, make([]byte, 20), make([]byte, 47)); err == nil {
				t.Error("its processor answers without power")
			}
			if err := robot.Bus().Tx(0x68, []byte{0x75}, make([]byte, 1)); err == nil {
				t.Error("its inertial sensor answers without power")
			}
			robot.SetCharger(true)
		}
		for _, a := range RobotsOf[*Functional](s) {
			a.Do(func(*Control) { s.world.Find(a.Name()).Battery().SetCharger(true) })
		}
		until("supplied again", func(m GroundTruth) bool { return !m.Dead })
		for _, robot := range RobotsOf[*Firmware](s) {
			command(t, robot, 0, 0)
		}
		until("strong again", func(m GroundTruth) bool { return !m.Weak })
	}
	for i, at := range [2][2]time.Duration{weakAt, deadAt} {
		if d := at[0] - at[1]; d.Abs() > 30*time.Millisecond {
			t.Errorf("change %d comes after %v with the firmware, after %v without", i, at[0], at[1])
		}
	}
}

// TestDeadRobotsAreDarkAndSilent: no LED, no message by infrared, and its controller does not decide.
func TestDeadRobotsAreDarkAndSilent(t *testing.T) {
	s, clock := pushers(t, `
robots:
- {name: dead, level: functional, battery: {capacity: 100, charge: 0}}
- {name: live, level: functional, position: [0.1, 0.1]}`, Options{})
	dead, live := RobotsOf[*Functional](s)[0], RobotsOf[*Functional](s)[1]
	dead.Do(func(c *Control) { c.SetLEDs(vmcu.LEDs{Red: [4]bool{true, true, true, true}}) })
	c := &restless{}
	if err := dead.SetController(c, 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	live.Listen(true)
	if err := dead.Say([]byte("x")); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(time.Second)
	if m := dead.GroundTruth(); m.LEDs.Red[0] || m.Pose.X != 0 || c.steps != 0 {
		t.Errorf("%+v, %d decisions", m, c.steps)
	}
	if heard, _ := live.Hear(nil); len(heard) != 0 {
		t.Errorf("heard of a robot without power: %v", heard)
	}
}

// TestChargingStations: a robot is charged while its middle is at a station, at both levels, and its board's pin says
// so; one that drives through is charged on the way.
func TestChargingStations(t *testing.T) {
	for _, level := range []string{"firmware", "functional"} {
		s, clock := pushers(t, low(level, "stations: [{position: [0.2, 0], radius: 0.05}]"), Options{})
		r := s.Robots()[0]
		charging := map[bool]int{}
		for range 35 {
			clock.Sleep(100 * time.Millisecond)
			m := r.GroundTruth()
			at := m.Pose.X > 0.15 && m.Pose.X < 0.25
			if m.Charging != at && (m.Pose.X < 0.145 || m.Pose.X > 0.255 || at && m.Pose.X > 0.16 && m.Pose.X < 0.24) {
				t.Errorf("%s: at %g m: charging %v", level, m.Pose.X, m.Charging)
			}
			charging[m.Charging]++
			for _, robot := range RobotsOf[*Firmware](s) {
				if bool(robot.Pin(PinCharger).Read()) != m.Charging {
					t.Errorf("the charger's pin is %v", robot.Pin(PinCharger).Read())
				}
			}
		}
		if charging[true] < 8 || charging[false] < 15 {
			t.Errorf("%s: %v", level, charging)
		}
		if err := r.Place(Pose{X: 0.2, Y: 0.01}); err != nil {
			t.Fatal(err)
		}
		if !r.GroundTruth().Charging {
			t.Errorf("%s: put at the station, it is not charged", level)
		}
		if v := s.world.Physics.Reflectance(geom.Vec{X: 0.25}); v != 0.5 {
			t.Errorf("the floor around the station reflects %g", v)
		}
	}
}

// TestBatteryIsTheSameHoweverOftenOneLooks: robots that are at rest until their batteries are empty.
func TestBatteryIsTheSameHoweverOftenOneLooks(t *testing.T) {
	run := func(look time.Duration) (hash [32]byte, charge float64) {
		s, clock := pushers(t, `
stations: [{position: [1, 0], radius: 0.05}]
robots:
- {name: a, level: functional, battery: {capacity: 10, charge: 0.5}}
- {name: b, position: [1, 0], battery: {capacity: 10, charge: 0}}
- {name: c, position: [2, 0], battery: {capacity: 20, charge: 0.1}}`, Options{})
		RobotsOf[*Functional](s)[0].Do(func(c *Control) { c.SetWheels(0, 0) })
		command(t, RobotsOf[*Firmware](s)[1], 0, 0)
		for range time.Minute / look {
			clock.Sleep(look)
			s.Elapsed()
		}
		return s.TraceHash(), RobotsOf[*Functional](s)[0].GroundTruth().Charge + RobotsOf[*Firmware](s)[0].GroundTruth().Charge
	}
	want, charge := run(time.Minute)
	for _, look := range []time.Duration{10 * time.Millisecond, time.Second} {
		if hash, c := run(look); hash != want || c != charge {
			t.Errorf("a look each %v: charges %g, want %g; or another trace", look, c, charge)
		}
	}
}

// TestRobotsAtAStationAreChargedFromTheStart: also one that never moves, and one that is spawned there.
func TestRobotsAtAStationAreChargedFromTheStart(t *testing.T) {
	for _, level := range []string{"firmware", "functional"} {
		w, err := ParseWorld([]byte("stations: [{position: [0, 0], radius: 0.2}]\nrobots: [{name: r, level: " + level + ", battery: {charge: 0.4}}]"))
		if err != nil {
			t.Fatal(err)
		}
		clock := NewClock()
		s, err := New(w, Options{Now: clock.Now, MaxCatchUp: -1, Settled: true})
		if err != nil {
			t.Fatal(err)
		}
		second := w.Robots[0]
		second.Name, second.Position[0] = "second", 0.1
		if _, err := s.Spawn(second); err != nil {
			t.Fatal(err)
		}
		clock.Sleep(time.Minute)
		for _, r := range s.Robots() {
			if m := r.GroundTruth(); !m.Charging || m.Charge <= 0.4 {
				t.Errorf("%s: %s: charging %v, %g", level, r.Name(), m.Charging, m.Charge)
			}
		}
	}
}
