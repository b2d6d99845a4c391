// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// powered adds the cart "c" with a battery of 100 J, a load of 2 W and a charger of 12 W.
func powered(now float64) func(*sim.Options) {
	return carrying(
		description.Device{Name: "scan", Kind: description.Infrared, Link: "base", Range: &description.Range{Max: 1, Rays: 1}},
		description.Device{Name: "battery", Kind: description.Battery, Link: "base", Energy: &description.Energy{
			Now: now, Most: 100, Load: 2, Charging: 12, Voltage: 12, Rise: -2, Resistance: 0.5,
		}},
	)
}

func truthOf(r *rig) sim.GroundTruth { return sim.RobotsOf[*sim.Articulated](r.sim)[0].GroundTruth() }

// TestEmptyBatteryStopsADescribedRobotAndAStationChargesIt: the motors lose their torque at the same charge as an
// e-puck2's, and execute the last command again once it is sufficient; with an empty battery sensors do not measure.
func TestEmptyBatteryStopsADescribedRobotAndAStationChargesIt(t *testing.T) {
	r := newRig(t, "stations: [{position: [3, 0], radius: 0.1}]\nrobots:\n"+robotAt("c", "c", 0, 0, 0), powered(11.43))
	r.drive(0, 5, 5) // 0.1 m/s
	r.pass(4900 * time.Millisecond)
	if m := truthOf(r); m.Weak || math.Abs(m.V-0.1) > 1e-9 || math.Abs(m.Charge-0.0163) > 1e-9 {
		t.Fatalf("before: %+v", m)
	}
	r.pass(200 * time.Millisecond)
	if m := truthOf(r); !m.Weak || m.V != 0 || m.Dead || m.Charging {
		t.Fatalf("weak: %+v", m)
	}
	if err := sim.RobotsOf[*sim.Articulated](r.sim)[0].Place(sim.Pose{X: 3}); err != nil {
		t.Fatal(err)
	}
	r.pass(300 * time.Millisecond)
	if m := truthOf(r); !m.Weak || !m.Charging || m.Pose.X != 3 {
		t.Fatalf("at the station: %+v", m)
	}
	r.pass(300 * time.Millisecond)
	if m := truthOf(r); m.Weak || m.V == 0 || m.Pose.X <= 3 {
		t.Errorf("charged: %+v", m)
	}
}

// TestDescribedRobotWithoutPowerMeasuresNothing: sensors measure again when it is charged.
func TestDescribedRobotWithoutPowerMeasuresNothing(t *testing.T) {
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), powered(3))
	r.drive(0, 5, 5)
	if v := r.read(0, "scan")[0]; math.IsNaN(v) {
		t.Error("it measures nothing with 3 J in the battery")
	}
	r.pass(2 * time.Second)
	if m := truthOf(r); !m.Dead || m.V != 0 {
		t.Errorf("%+v", m)
	}
	if v := r.read(0, "scan")[0]; !math.IsNaN(v) {
		t.Errorf("it measures %g m", v)
	}
	near(t, "battery", r.read(0, "battery")[0], 0, 0)
	x := r.pose(0).X
	r.pass(time.Hour)
	near(t, "an hour later", r.pose(0).X, x, 0)
}

// TestBatteryOfTheWorldFileIsThatOfADescribedRobot: the world file's charge and capacity replace those of the
// description, and add a battery to a robot without one.
func TestBatteryOfTheWorldFileIsThatOfADescribedRobot(t *testing.T) {
	for name, c := range map[string]struct {
		model, battery   string
		energy, capacity float64
	}{
		"as described":       {"c", "", 60, 100},
		"its charge":         {"c", ", battery: {charge: 0.25}", 25, 100},
		"its capacity":       {"c", ", battery: {capacity: 20, charge: 0.5}", 110, 220}, // C · 11 V
		"of a robot with no": {"cart", ", battery: {capacity: 100}", 370, 370},
		"of the usual one":   {"cart", ", battery: {charge: 0.5}", 0.5 * 6480 * 3.7, 6480 * 3.7},
	} {
		change := powered(60)
		if c.model == "cart" {
			change = withCart("")
		}
		r := newRig(t, "robots: [{name: r, model: "+c.model+c.battery+"}]", change)
		r.do(0, func(m *machine.Machine) {
			p, ok := m.Power()
			if !ok || math.Abs(p.Energy-c.energy) > 1e-6 || math.Abs(p.Capacity-c.capacity) > 1e-3 {
				t.Errorf("%s: %+v, %v", name, p, ok)
			}
		})
	}
}

// TestCapacityOfAnEmptyBatteryIsThatOfTheWorldFile: the capacity does not depend on the charge.
func TestCapacityOfAnEmptyBatteryIsThatOfTheWorldFile(t *testing.T) {
	r := newRig(t, "robots: [{name: r, model: c, battery: {capacity: 20, charge: 0}}]", powered(60))
	r.do(0, func(m *machine.Machine) {
		if p, _ := m.Power(); p.Energy != 0 || math.Abs(p.Capacity-220) > 1e-3 { // 20 C · 11 V
			t.Errorf("%+v", p)
		}
	})
}

// TestBatteryOfUnknownEnergyGetsThatOfTheWorldFile: no second device is added.
func TestBatteryOfUnknownEnergyGetsThatOfTheWorldFile(t *testing.T) {
	r := newRig(t, "robots: [{name: r, model: c, battery: {charge: 0.5}}]", carrying(description.Device{Name: "battery", Kind: description.Battery, Link: "base"}))
	r.do(0, func(m *machine.Machine) {
		if n := len(m.Description().Devices); n != 1 {
			t.Errorf("%d devices", n)
		}
	})
	near(t, "energy", r.read(0, "battery")[0], 0.5*6480*3.7, 1e-3)
}

// TestVoltageFollowsChargeAndLoad: as by Gazebo's LinearBatteryPlugin, E₀ + E₁ (1 − q/c) − R I with I = P/V.
func TestVoltageFollowsChargeAndLoad(t *testing.T) {
	r := newRig(t, arena(robotAt("c", "c", 0, 0, 0)), powered(50))
	r.do(0, func(m *machine.Machine) {
		p, _ := m.Power()
		near(t, "current", p.Current, 2.0/11, 1e-9)
		near(t, "voltage", p.Voltage, 11-0.5*2.0/11, 1e-9)
	})
}
