// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestInfrared: on a simulated robot with varied sensors the published ranges within 40 mm are at least twice as exact
// as before, at distances and places that were not measured.
func TestInfrared(t *testing.T) {
	world := "boxes:\n  - {position: [0.5, 0], size: [0.5, 1]}\nrobots:\n  - {name: r, variation: {infrared: 0.2}}\n"
	bubble(t, world, true, func(r *rig) {
		r.ui.act = func(q string) string {
			if strings.Contains(q, "against") {
				r.must(r.sim.Place(sim.Pose{X: 0.25 - bodyRadius - 1e-5, Theta: 0.03})) // not quite square
			}
			return ""
		}
		errorOf := func() float64 {
			sum, n := 0.0, 0.0
			for i, e := range robot.Infrared() {
				s, err := listen[jazzy.Range](r.node, "ps"+string(rune('0'+i)))
				r.must(err)
				for d := 0.0105; d < 0.038; d += 0.003 {
					a := -e.Heading
					sin, cos := math.Sincos(a)
					r.must(r.sim.Place(sim.Pose{X: 0.25 - d - (e.X*cos - e.Y*sin), Y: 0.1, Theta: a}))
					time.Sleep(200 * time.Millisecond)
					m, _, err := s.next(r.Context(), s.now())
					r.must(err)
					v := math.Min(float64(m.Range), 0.04)
					if math.IsInf(float64(m.Range), -1) {
						v = 0
					}
					sum, n = sum+(v-d)*(v-d), n+1
				}
				r.must(s.Close())
			}
			return math.Sqrt(sum / n)
		}
		r.must(r.robot.trigger(r.Context(), "calibrate_ir")) // the offsets alone are not what is judged
		before := errorOf()
		r.must(r.sim.Place(sim.Pose{X: -0.5}))
		res, err := r.robot.Infrared(r.Context(), r.ui, DefaultInfraredPlan(), &Journal{})
		r.must(err)
		ReportInfrared(r.ui, res)
		r.must(r.robot.Set(r.Context(), InfraredSettings(res, "r", time.Now())))
		after := errorOf()
		t.Logf("%.2f mm before, %.2f mm after\n%s", 1000*before, 1000*after, r.ui.text())
		if after > before/2 {
			t.Errorf("%.2f mm before, %.2f mm after", 1000*before, 1000*after)
		}
		if math.Abs(res.Ranger-1) > 0.4 {
			t.Errorf("the time-of-flight sensor saw %.2f m a metre", res.Ranger)
		}
		r.requireStopped()
	})
}

// attitudes are roll and pitch of the six positions, by the words that a person is shown.
var attitudes = map[string][2]float64{
	"on its wheels": {0, 0}, "on its head": {math.Pi, 0}, "nose up": {0, -math.Pi / 2}, "nose down": {0, math.Pi / 2},
	"left side up": {math.Pi / 2, 0}, "right side up": {-math.Pi / 2, 0},
}

// gyroDrift is how well the driver knows the bias it finds at rest, rad/s: the chip's noise over a second.
const gyroDrift = 0.0005

// TestInertial: the whole procedure; the person places the robot wrongly once.
func TestInertial(t *testing.T) {
	world := "robots:\n  - {name: r, variation: {inertial: 0.02}}\n"
	bubble(t, world, true, func(r *rig) {
		wrong := 0
		r.ui.act = func(q string) string {
			for name, a := range attitudes {
				if strings.Contains(q, "Place the robot "+name+" ") {
					if name == "nose up" && wrong == 0 {
						wrong++
						a = attitudes["nose down"]
					}
					r.must(r.sim.Tilt(a[0], a[1]))
				}
			}
			return ""
		}
		plan := DefaultInertialPlan()
		plan.Mag = false
		j, path := r.journal("imu")
		res, err := r.robot.Inertial(r.Context(), r.ui, plan, j)
		r.must(err)
		again, err := OpenJournal(path, "imu", "r")
		r.must(err)
		same, err := r.robot.Inertial(r.Context(), &person{}, plan, again) // who is asked nothing, and has no answers
		r.must(err)
		if same.Accel.Correction != res.Accel.Correction || same.Gyro.Correction != res.Gyro.Correction {
			t.Errorf("%+v after resuming, was %+v", same.Accel, res.Accel)
		}
		if wrong != 1 || !strings.Contains(r.ui.text(), "it is nose down, not nose up") {
			t.Errorf("the wrong position was not noticed:\n%s", r.ui.text())
		}
		r.must(r.sim.Place(sim.Pose{}))
		mag := InertialPlan{Mag: true, Turns: 3, Rounds: 2}
		field, err := r.robot.Inertial(r.Context(), r.ui, mag, &Journal{})
		r.must(err)
		res.Mag, res.Field = field.Mag, field.Field
		ReportInertial(r.ui, res)
		if res.Accel.After > res.Accel.Before/5 || res.Gyro.After > 0.003 {
			t.Errorf("%+v, %+v", res.Accel, res.Gyro)
		}
		if b, a := res.Plot(); len(b) != len(a) || len(b) < 50 || res.Mag.After > 0.9e-6 {
			t.Errorf("%d points, %+v", len(b), res.Mag)
		}
		r.must(r.robot.Set(r.Context(), InertialSettings(res, "r", time.Now())))
		// What the driver publishes now is right: gravity at a slant, and a turn by the gyroscope.
		r.must(r.sim.Tilt(0.4, -0.3))
		time.Sleep(time.Second)
		s, err := listen[sensor_msgs.Imu](r.node, "imu")
		r.must(err)
		old, err := r.robot.corrections(r.Context())
		r.must(err)
		m, err := restMean(r.Context(), s, old["accel"])
		r.must(err)
		got := old["accel"].Apply(m.Value)
		want := [3]float64{9.80665 * math.Sin(0.3), 9.80665 * math.Sin(0.4) * math.Cos(0.3), 9.80665 * math.Cos(0.4) * math.Cos(0.3)}
		for i := range 3 {
			if math.Abs(got[i]-want[i]) > 0.03 {
				t.Errorf("acceleration %v, want %v", got, want)
			}
		}
		r.must(r.sim.Place(sim.Pose{}))
		time.Sleep(time.Second)
		g, err := r.robot.geometry(r.Context())
		r.must(err)
		one, err := r.robot.turnOnce(r.Context(), s, imu.None(), g, turn(g, 4*math.Pi, 1.3)) // a new speed
		r.must(err)
		bound := 4 * (res.Gyro.ScaleSigma + (res.Gyro.BiasSigma[2]*one.Duration+gyroDrift*one.Duration)/one.Angle)
		if off := one.Integral[2]/one.Angle - 1; math.Abs(off) > bound {
			t.Errorf("a turn is off by %.3f %%, the noise allows %.3f %%", 100*off, 100*bound)
		}
		r.must(s.Close())
		r.requireStopped()
		t.Log(r.ui.text())
	})
}
