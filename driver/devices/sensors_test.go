// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Each sensor starts by being polled, stores its measurement in the reading, and is lost when it is removed.
func TestSensorsMeasureIntoTheReading(t *testing.T) {
	type made func(r *rig) parts.Part
	for _, c := range []struct {
		name string
		part world.Part
		make made
		good func(m *table.Reading) bool
	}{
		{"time of flight", world.ToF, func(r *rig) parts.Part { return NewToF(r.devices(r.set).ToF, &r.reading) },
			func(m *table.Reading) bool { // to the wall, as seen from where the sensor sits
				return math.Abs(m.ToF.Distance-(0.5-0.034)) < 0.05 && !m.ToF.At.IsZero()
			}},
		{"ground", world.Ground, func(r *rig) parts.Part { return NewGround(r.devices(r.set).Ground, &r.reading) },
			func(m *table.Reading) bool {
				return !m.Ground.Dark && m.Ground.Height[0] < 0.016 && m.Ground.Height[1] < 0.016 && m.Ground.Height[2] < 0.016
			}},
		{"IMU", world.IMU, func(r *rig) parts.Part { return r.imu(r.set) },
			func(m *table.Reading) bool {
				return math.Abs(m.IMU.Accel[2]-9.81) < 0.5 && math.Abs(m.IMU.Accel[0]) < 0.8 && m.IMU.GyroVar[2] > 0
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, plain)
				p := c.make(r)
				r.wantState(p, device.Absent)
				news, err := r.poll(p, 20, 3*time.Second)
				r.must(err)
				r.wantState(p, device.Running)
				if news < 5 || !c.good(&r.reading) {
					t.Errorf("%d measurements, the last %+v, %+v, %+v", news, r.reading.ToF, r.reading.Ground, r.reading.IMU)
				}
				r.must(r.robot.RemovePart(c.part))
				before := r.reading
				if news, _ := r.poll(p, 20, 3*time.Second); news > 1 {
					t.Errorf("%d measurements of nothing", news)
				}
				r.wantState(p, device.Absent)
				if r.reading.Ground != before.Ground || r.reading.ToF.Distance != before.ToF.Distance {
					t.Error("the reading changed without the sensor")
				}
				r.must(p.Halt())
			})
		})
	}
}

// What a calibration found is applied to each measurement, at once when it changes.
func TestIMUIsCorrected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := r.imu(r.set)
		_, err := r.poll(p, 20, 2*time.Second)
		r.must(err)
		once, field := r.reading.IMU.Accel[2], r.reading.Mag.Field
		r.correct.Accel, r.correct.Mag = straight(2), straight(3)
		_, err = r.poll(p, 20, time.Second)
		r.must(err)
		if twice := r.reading.IMU.Accel[2]; math.Abs(twice/once-2) > 0.05 {
			t.Errorf("%v m/s² became %v", once, twice)
		}
		for i, f := range r.reading.Mag.Field {
			if math.Abs(field[i]) > 1e-5 && math.Abs(f/field[i]-3) > 0.3 {
				t.Errorf("axis %d: %v T became %v", i, field[i], f)
			}
		}
	})
}

// The IMU's magnetometer is a part of its own: it has news when the IMU's poll has brought one, once.
func TestFieldOfTheIMU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := r.imu(r.set)
		field := p.Magnetometer()
		if r.wantState(field, device.Absent); !strings.Contains(field.String(), "magnetometer of") {
			t.Errorf("it is called %s", field)
		}
		for range 200 {
			_, err := p.Measure(time.Now())
			if r.must(err); p.FieldNews() {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		r.wantState(field, device.Running)
		if news, err := field.Measure(time.Now()); !news || err != nil {
			t.Errorf("no news: %v", err)
		}
		if news, _ := field.Measure(time.Now()); news || p.FieldNews() {
			t.Error("the same news twice")
		}
		if r.reading.Mag.Variance <= 0 || r.reading.Mag.Stamp.Sec == 0 {
			t.Errorf("%+v", r.reading.Mag)
		}
		r.must(field.Halt())
		without := *r.set
		without.MagRate = 0
		alone := r.imu(&without)
		_, err := r.poll(alone, 20, 2*time.Second)
		r.must(err)
		r.wantState(alone.Magnetometer(), device.Absent)
	})
}

// The camera's sensor is set up by its polls and has no measurements.
func TestCameraSensorIsSetUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := CameraSensor{r.devices(r.set).Camera}
		news, err := r.poll(p, CameraPolls, 8*time.Second)
		r.must(err)
		if r.wantState(p, device.Running); news != 0 {
			t.Errorf("%d news of a sensor that only listens", news)
		}
	})
}

// A sensor whose bus fails says so, and measures again when it is mended.
func TestSensorComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, plain)
		p := NewGround(r.devices(r.set).Ground, &r.reading)
		_, err := r.poll(p, 20, 2*time.Second)
		r.must(err)
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: vbus.NAK}))
		if news, _ := r.poll(p, 20, 3*time.Second); news != 0 {
			t.Errorf("%d measurements over a dead bus", news)
		}
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
		if news, err := r.poll(p, 20, 4*time.Second); news < 10 || err != nil {
			t.Errorf("%d measurements after that: %v", news, err)
		}
	})
}
