// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// settings are the options of a driver with its default parameters.
func settings() *hardware.Options {
	return &hardware.Options{
		Now: time.Now, IMURate: 20, ToFRate: 20, GroundRate: 20, MagRate: 8, IMURotation: imu.DefaultRotation(),
	}
}

// The parts measure what the robot measures.
func TestPartsMeasureWhatTheRobotMeasures(t *testing.T) {
	inBubble(t, "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.2, 0]}]\n", func(r *rig) {
		d := r.dev(nil)
		r.connected(d)
		parts, err := r.robot.Open(settings())
		r.must(err)
		inertial, ranger, floor, cell := parts.IMU, parts.ToF, parts.Ground, parts.Battery
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
		if got, want := cell.Reading().Robot.Voltage, r.agent.GroundTruth().Voltage; math.Abs(got-want) > 0.02 {
			t.Errorf("battery %v V, truly %v", got, want)
		}
		poll(200)
		var field [3]float64
		r.agent.Do(func(c *sim.Control) { field = c.Field() })
		if w := r.agent.GroundTruth().Omega; fields < 5 || math.Abs(s.Gyro[2]-w) > 0.1 {
			t.Errorf("%d fields; turning at %v rad/s, read %v", fields, w, s.Gyro[2])
		}
		if math.Abs(f.Field[2]-field[2]) > 20e-6 {
			t.Errorf("field %v, read %v", field, f.Field)
		}
		r.must(d.Halt())
		r.must(parts.Close())
	})
}

// A part is absent until the robot is reached, and again when it is lost; a calibration of the IMU that the loss
// interrupts fails.
func TestPartsAreLostWithTheLink(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		v, err := r.robot.Open(settings())
		r.must(err)
		poll := func(long time.Duration) (errs [4]error) {
			for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				now := time.Now()
				_, errs[0] = v.IMU.Poll(now)
				_, errs[1] = v.ToF.Poll(now)
				_, errs[2] = v.Ground.Poll(now)
				_, errs[3] = v.Battery.Poll(now)
			}
			return errs
		}
		states := func() [4]device.State {
			return [4]device.State{v.IMU.State(), v.ToF.State(), v.Ground.State(), v.Battery.State()}
		}
		if _, err := v.Battery.Poll(time.Now()); !errors.Is(err, battery.ErrAbsent) {
			t.Errorf("the battery of a robot that was not reached: %v", err)
		}
		if s := states(); s != [4]device.State{} {
			t.Errorf("before the robot is reached: %v", s)
		}
		d := r.dev(nil)
		r.connected(d)
		drive := func(long time.Duration) {
			for end := time.Now().Add(long); time.Now().Before(end); {
				_, _ = d.Exchange(mcu.Command{})
				poll(20 * time.Millisecond)
			}
		}
		drive(6 * time.Second)
		if s := states(); s != [4]device.State{device.Running, device.Running, device.Running, device.Running} {
			t.Errorf("with the robot: %v", s)
		}
		var s imu.Reading
		var far vl53l0x.Reading
		r.must(v.IMU.Sense(&s))
		r.must(v.ToF.Sense(&far))
		if !math.IsInf(far.Distance, 1) || !v.IMU.HasMagnetometer() {
			t.Errorf("on an empty plane: %v m, a magnetometer: %v", far.Distance, v.IMU.HasMagnetometer())
		}
		r.must(v.IMU.Calibrate(imu.CalibrationOpts{Samples: 1000}))
		drive(100 * time.Millisecond)
		r.setFar(true)
		poll(3 * time.Second)
		if s := states(); s != [4]device.State{} {
			t.Errorf("without the robot: %v", s)
		}
		if err := v.IMU.Sense(&s); !errors.Is(err, device.ErrNoReading) {
			t.Errorf("a sample without a robot: %v", err)
		}
		if _, err := v.IMU.Calibration(); !errors.Is(err, imu.ErrNotCalibrated) {
			t.Errorf("the calibration that was interrupted: %v", err)
		}
		r.setFar(false)
		r.connected(d)
		drive(6 * time.Second)
		if s := states(); s != [4]device.State{device.Running, device.Running, device.Running, device.Running} {
			t.Errorf("when it is back: %v", s)
		}
		for _, p := range []hardware.Part{v.IMU, v.ToF, v.Ground, v.Battery} {
			r.must(p.Halt())
			if p.State() != device.Halted {
				t.Errorf("%v is %v after Halt", p, p.State())
			}
		}
		r.must(v.Close())
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
