// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// For any commands joints keep their limits of position and speed, and move by their velocity in each cycle; in the end
// they are at rest at the nearest reachable position.
func TestJointsKeepTheirLimits(t *testing.T) {
	// Lower, upper, speed: as in rig_test.go.
	limits := map[string][3]float64{"turn": {-2, 2, 1}, "lift": {0, 0.3, 0.1}}
	r := newRig(t, arena(robotAt("cart", "cart", 0, 0, 0)), withCart(""))
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 6).Draw(t, "commands") {
			name := rapid.SampledFrom([]string{"turn", "lift"}).Draw(t, "joint")
			by, value := rapid.Bool().Draw(t, "position"), rapid.Float64Range(-4, 4).Draw(t, "value")
			speed := rapid.SampledFrom([]float64{0, 0.02, -0.5, 7}).Draw(t, "speed")
			r.do(0, func(m *machine.Machine) {
				if j := jointOf(m, name); by {
					m.SetPosition(j, value, speed)
				} else {
					m.SetVelocity(j, value)
				}
			})
			for range rapid.IntRange(1, 40).Draw(t, "cycles") {
				before := states(r)
				r.pass(10 * time.Millisecond)
				for name, s := range states(r) {
					l, step := limits[name], s.Position-before[name].Position
					if s.Position < l[0] || s.Position > l[1] || math.Abs(step) > l[2]*0.01+1e-12 || math.Abs(s.Velocity) > l[2] {
						t.Fatalf("%s: %+v after %+v", name, s, before[name])
					}
					if math.Abs(step-s.Velocity*0.01) > 1e-12 && s.Position != l[0] && s.Position != l[1] {
						t.Fatalf("%s: %g in a cycle at %g a second", name, step, s.Velocity)
					}
				}
			}
		}
		target := rapid.Float64Range(-4, 4).Draw(t, "target")
		r.do(0, func(m *machine.Machine) {
			for name := range limits {
				m.SetPosition(jointOf(m, name), target, 0)
			}
		})
		r.pass(5 * time.Second)
		for name, s := range states(r) {
			if want := max(limits[name][0], min(limits[name][1], target)); s.Position != want || s.Velocity != 0 {
				t.Fatalf("%s: %+v, commanded to %g", name, s, target)
			}
		}
	})
}

// states returns the joint states of the cart's arm.
func states(r *rig) map[string]machine.JointState {
	all := map[string]machine.JointState{}
	r.do(0, func(m *machine.Machine) {
		for _, name := range []string{"turn", "lift"} {
			all[name] = m.Joint(jointOf(m, name))
		}
	})
	return all
}

// Two wheels with different speeds move the robot along an arc, by the formula of a circle.
func TestArcs(t *testing.T) {
	r := newRig(t, "robots:\n"+robotAt("cart", "cart", 0, 0, 0), withCart(""))
	rapid.Check(t, func(t *rapid.T) {
		left, right := rapid.Float64Range(-10, 10).Draw(t, "left"), rapid.Float64Range(-10, 10).Draw(t, "right")
		v, omega := (left+right)/2*0.02, (right-left)*0.02/0.1
		begin := r.pose(0)
		r.drive(0, left, right)
		r.pass(2 * time.Second)
		p := r.pose(0)
		r.drive(0, 0, 0)
		r.pass(20 * time.Millisecond)
		ahead, aside := 2*v, 0.0
		if turn := omega * 2; math.Abs(turn) > 1e-9 {
			ahead, aside = v/omega*math.Sin(turn), v/omega*(1-math.Cos(turn))
		}
		s, c := math.Sincos(begin.Theta)
		x, y := begin.X+ahead*c-aside*s, begin.Y+ahead*s+aside*c
		if off := math.Hypot(p.X-x, p.Y-y); off > 1e-6 {
			t.Fatalf("%g m from the arc", off)
		}
		if apart := math.Abs(math.Remainder(p.Theta-begin.Theta-2*omega, 2*math.Pi)); apart > 1e-9 {
			t.Fatalf("turned %g rad too far", apart)
		}
	})
}

// Wheels that slip roll other distances than their encoders measure, each its own, so that the robot turns. Equal seeds
// slip equally.
func TestSlipIsUnknownToEncoders(t *testing.T) {
	world := "robots:\n  - {name: x, model: cart, position: [0, 0], variation: {slip: 0.01}}\n"
	run := func() (way, turn float64) {
		r := modelled(t, world, cart(`<sensor name="gps" type="gps"/>`))
		r.drive(0, 5, 5)
		r.pass(10 * time.Second)
		p := r.pose(0)
		r.do(0, func(m *machine.Machine) {
			for _, name := range []string{"left", "right"} {
				near(t, name+" encoder", m.Joint(jointOf(m, name)).Position, 50, 1e-9)
			}
		})
		return math.Hypot(p.X, p.Y), p.Theta
	}
	way, turn := run()
	if math.Abs(way-1) < 1e-6 || math.Abs(way-1) > 0.05 || turn == 0 {
		t.Errorf("1 m by the encoders are %g m and %g rad", way, turn)
	}
	again, turnAgain := run()
	near(t, "way with the same seed", again, way, 0)
	near(t, "turn with the same seed", turnAgain, turn, 0)
}

// An accelerometer measures the robot's acceleration, which is within the description's limit.
func TestAcceleration(t *testing.T) {
	text := strings.Replace(cart(`<sensor name="imu" type="imu"/>`), "<max_linear_velocity>0.5", "<max_linear_acceleration>0.25</max_linear_acceleration><max_linear_velocity>0.5", 1)
	r := modelled(t, "robots:\n"+robotAt("cart", "cart", 0, 0, 0), text)
	r.drive(0, 100, 100)
	r.pass(time.Second)
	near(t, "felt ahead", r.read(0, "imu")[0], 0.25, 1e-9)
	near(t, "way", r.pose(0).X, 0.125, 0.002)
	r.pass(1500 * time.Millisecond)
	near(t, "felt at full speed", r.read(0, "imu")[0], 0, 1e-9)
	r.do(0, func(m *machine.Machine) {
		v, omega := m.Twist()
		near(t, "full speed", v, 0.5, 1e-9)
		near(t, "turning", omega, 0, 0)
	})
}
