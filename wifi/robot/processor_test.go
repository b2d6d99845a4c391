// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

func TestDriveAndHalt(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		d := r.dev(nil)
		r.connected(d)
		var s mcu.Sensors
		for range 20 {
			var err error
			s, err = d.Exchange(mcu.Command{Left: 300, Right: -200})
			r.must(err)
			time.Sleep(50 * time.Millisecond)
		}
		if v := r.speeds(); v[0] < 299 || v[0] > 302 || v[1] > -198 || v[1] < -202 {
			t.Errorf("the wheels turn at %v steps/s", v)
		}
		if s.LeftSteps < 250 || s.RightSteps > -150 || s.Selector != 15 {
			t.Errorf("after a second: %+v", s)
		}
		r.must(d.Halt())
		if v := r.speeds(); v != [2]float64{} {
			t.Errorf("after Halt: %v steps/s", v)
		}
	})
}

// A melody and the setting of counters are executed once; the counters continue from the set values.
func TestOneShots(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		var events []mcu.Event
		d := r.dev(func(e mcu.Event) { events = append(events, e) })
		r.connected(d)
		go2 := func(n int) (s mcu.Sensors) {
			for range n {
				var err error
				s, err = d.Exchange(mcu.Command{Left: 500, Right: 500, RGB: [4]mcu.RGB{{R: 100}}})
				r.must(err)
				time.Sleep(50 * time.Millisecond)
			}
			return s
		}
		before := go2(10)
		r.must(d.PlayMelody(2))
		after := go2(10)
		if n := after.LeftSteps - before.LeftSteps; n < 220 || n > 330 {
			t.Errorf("%d steps in half a second of 500 a second", n)
		}
		if m := r.simulated.GroundTruth().Melody; m != 2 {
			t.Errorf("melody %d plays", m)
		}
		if c := r.simulated.GroundTruth().LEDs.RGB[0]; c != [3]uint8{100, 0, 0} {
			t.Errorf("LED2 shows %v", c)
		}
		d.SetSteps(1000, -1000)
		if s := go2(4); s.LeftSteps < 1000 || s.LeftSteps > 1200 || s.RightSteps < -1000 || s.RightSteps > -800 {
			t.Errorf("after setting the counters to ±1000: %d %d", s.LeftSteps, s.RightSteps)
		}
		for _, e := range events {
			if e.Kind == mcu.EventFailed || e.Attempts > 1 {
				t.Errorf("%+v", e)
			}
		}
	})
}

// A robot that does not answer during the two seconds of a calibration does not count as lost.
func TestCalibration(t *testing.T) {
	const wall = "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.45, 0]}]\n"
	inBubble(t, wall, func(r *rig) {
		kinds := map[mcu.EventKind]int{}
		d := r.dev(func(e mcu.Event) { kinds[e.Kind]++ })
		r.connected(d)
		near := func() mcu.Sensors {
			s, err := d.Exchange(mcu.Command{Left: 100, Right: 100})
			r.must(err)
			return s
		}
		r.must(d.Halt())
		s, err := d.Exchange(mcu.Command{})
		r.must(err)
		if s.Proximity[0] < 200 {
			t.Fatalf("before: %v", s.Proximity)
		}
		time.Sleep(time.Second) // the wheels accept commands
		failed := d.Counters().Failed
		d.CalibrateIR()
		r.until("calibrated", func() bool {
			if v := r.speeds(); d.Pending().Calibrate && v != [2]float64{} {
				t.Errorf("wheels at %v while calibrating", v)
			}
			near()
			return kinds[mcu.EventCalibrated] == 1
		})
		if kinds[mcu.EventFailed] != 0 || d.Counters().Failed != failed {
			t.Errorf("events %v, %+v", kinds, d.Counters())
		}
		if s = near(); s.Proximity[0] > 150 {
			t.Errorf("the calibrated robot still detects the near wall: %v", s.Proximity)
		}
		r.must(d.Halt())
	})
}
