// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// The driver initialises the chips, and they measure what the robot measures.
func TestChips(t *testing.T) {
	inBubble(t, "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.2, 0]}]\n", func(r *rig) {
		d := r.dev(nil)
		r.connected(d)
		bus := r.robot.Bus()
		inertial, err := imu.New(bus, 0, nil)
		r.must(err)
		ranger, err := vl53l0x.New(bus, vl53l0x.Addr, nil)
		r.must(err)
		floor, err := ground.New(bus, ground.Addr, nil)
		r.must(err)
		cell, err := battery.New(&battery.Opts{Root: r.robot.Files()})
		r.must(err)
		var samples, ranges, grounds, volts, fields int
		var s imu.Reading
		var f imu.Field
		var v vl53l0x.Reading
		var g ground.Reading
		poll := func(speed mcu.Speed) {
			for range 60 {
				_, err := d.Exchange(mcu.Command{Left: -speed, Right: speed})
				r.must(err)
				now := time.Now()
				if u, _ := inertial.Poll(now); u.Sample {
					samples++
					r.must(inertial.Sense(&s))
					if u.Field {
						fields++
						r.must(inertial.SenseField(&f))
					}
				}
				if ok, _ := ranger.Poll(now); ok {
					ranges++
					r.must(ranger.Sense(&v))
				}
				if ok, _ := floor.Poll(now); ok {
					grounds++
					r.must(floor.Sense(&g))
				}
				if ok, _ := cell.Poll(now); ok {
					volts++
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
		poll(0)
		poll(0)
		poll(0)
		if samples < 30 || ranges < 30 || grounds < 100 || volts < 1 {
			t.Errorf("%d samples, %d ranges, %d of the ground, %d of the battery", samples, ranges, grounds, volts)
		}
		if math.Abs(s.Accel[2]-9.81) > 0.5 || math.Abs(s.Accel[0]) > 0.5 || math.Abs(s.Gyro[2]) > 0.1 {
			t.Errorf("at rest: %+v", s)
		}
		if want := 0.5 - 0.2 - 0.035; math.Abs(v.Distance-want) > 0.04 {
			t.Errorf("the wall is at %.3f m, read %.3f", want, v.Distance)
		}
		if g.Reflected[1] < 500 {
			t.Errorf("white floor: %+v", g)
		}
		if got, want := cell.Reading().Robot.Voltage, r.simulated.GroundTruth().Voltage; math.Abs(got-want) > 0.02 {
			t.Errorf("battery %v V, truly %v", got, want)
		}
		poll(200)
		var field [3]float64
		r.simulated.Do(func(c *sim.Control) { field = c.Field() })
		if w := r.simulated.GroundTruth().Omega; fields < 5 || math.Abs(s.Gyro[2]-w) > 0.1 {
			t.Errorf("%d fields; turning at %v rad/s, read %v", fields, w, s.Gyro[2])
		}
		if math.Abs(f.Field[2]-field[2]) > 20e-6 {
			t.Errorf("field %v, read %v", field, f.Field)
		}
		r.must(d.Halt())
	})
}

func TestPictures(t *testing.T) {
	inBubble(t, "arena: {size: [1, 1]}\nrobots: [{name: r}]\n", func(r *rig) {
		d := r.dev(nil)
		c := r.robot.Camera()
		if _, err := c.Modes(context.Background()); !errors.Is(err, camera.ErrNoDevice) {
			t.Errorf("before it is there: %v", err)
		}
		r.connected(d)
		modes, err := c.Modes(context.Background())
		r.must(err)
		if len(modes) != 1 || modes[0].Width != 160 || modes[0].Height != 120 {
			t.Errorf("%v", modes)
		}
		var wrong *camera.ModeError
		if _, err := c.Open(context.Background(), camera.Mode{Width: 640, Height: 480}); !errors.As(err, &wrong) {
			t.Errorf("640×480: %v", err)
		}
		src, err := c.Open(context.Background(), camera.Mode{FrameRate: 4})
		r.must(err)
		if _, err := c.Open(context.Background(), camera.Mode{}); err == nil {
			t.Error("opened twice")
		}
		began := time.Now()
		for i := range 8 {
			f, release, err := src.Read()
			r.must(err)
			r.must(f.Check())
			colours := map[[3]byte]bool{}
			for at := 0; at < len(f.Data); at += 3 {
				colours[[3]byte(f.Data[at:])] = true
			}
			if len(colours) < 5 || f.Sequence != uint32(i+1) {
				t.Errorf("picture %d has %d colours", f.Sequence, len(colours))
			}
			release()
			_, err = d.Exchange(mcu.Command{}) // sensors come in between
			r.must(err)
		}
		if took := time.Since(began); took < 1700*time.Millisecond || took > 3*time.Second {
			t.Errorf("8 pictures at 4 a second took %v", took)
		}
		r.must(src.Close())
		r.must(src.Close())
		if _, _, err := src.Read(); !errors.Is(err, camera.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}
