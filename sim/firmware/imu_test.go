// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// imu reads the robot's inertial sensor by its registers.
type imu struct {
	*rig
	first  byte // register of the first measurement
	gyroAt int  // word at which the angular velocity begins
}

// newIMU wakes the sensor of a model: 100 Hz, ±2 g, ±250 °/s.
func newIMU(t testing.TB, text, model string, opts sim.Options) imu {
	t.Helper()
	g := newRig(t, text, opts)
	m := imu{g, 0x3B, 4}
	setup := [][]byte{{0x6B, 0x01}, {0x1A, 3}, {0x19, 9}}
	if model == "icm20948" {
		m.first, m.gyroAt = 0x2D, 3
		setup = [][]byte{{0x7F, 0}, {0x06, 0x01}, {0x07, 0}, {0x7F, 0x20}, {0x00, 10}, {0x01, 0x19}, {0x14, 0x19}, {0x7F, 0}}
	}
	for _, w := range setup {
		if err := g.robot.Bus().Tx(0x68, w, nil); err != nil {
			t.Fatal(err)
		}
	}
	g.clock.Sleep(100 * time.Millisecond)
	return m
}

// read returns acceleration (m/s²) and angular velocity (rad/s) in the robot's
// axes: the chip's y points backwards and its x to the left.
func (m imu) read() (accel, gyro [3]float64) {
	m.t.Helper()
	var b [14]byte
	if err := m.robot.Bus().Tx(0x68, []byte{m.first}, b[:]); err != nil {
		m.t.Fatal(err)
	}
	word := func(i int) float64 { return float64(int16(binary.BigEndian.Uint16(b[2*i:]))) }
	const g, dps = 9.80665 / 16384, math.Pi / 180 / 131.072
	at := m.gyroAt
	return [3]float64{-word(1) * g, word(0) * g, word(2) * g},
		[3]float64{-word(at+1) * dps, word(at) * dps, word(at+2) * dps}
}

// models are the equipments with an inertial sensor.
func models() []string { return []string{"mpu9250", "icm20948"} }

func withIMU(model string) string { return "robots: [{name: r, imu: " + model + "}]" }

// Nose up gives +x acceleration, left side up +y, level +z.
func TestTiltThroughTheIMU(t *testing.T) {
	for _, model := range models() {
		m := newIMU(t, withIMU(model), model, sim.Options{Quiet: true})
		for _, c := range []struct {
			roll, pitch float64
			want        [3]float64
		}{
			{0, 0, [3]float64{0, 0, 9.807}},
			{0, -0.3, [3]float64{9.807 * math.Sin(0.3), 0, 9.807 * math.Cos(0.3)}},
			{0.3, 0, [3]float64{0, 9.807 * math.Sin(0.3), 9.807 * math.Cos(0.3)}},
		} {
			if err := m.robot.Tilt(c.roll, c.pitch); err != nil {
				t.Fatal(err)
			}
			m.clock.Sleep(50 * time.Millisecond)
			accel, _ := m.read()
			for i := range 3 {
				near(t, model+" acceleration", accel[i], c.want[i], 0.002)
			}
		}
	}
}

// compass reads the AK8963 of an MPU-9250 at 100 Hz, in the robot's axes, T:
// in this package x and y are exchanged and z points down.
func (m imu) compass() (field [3]float64) {
	m.t.Helper()
	b := make([]byte, 8)
	if err := m.robot.Bus().Tx(0x0C, []byte{0x02}, b); err != nil {
		m.t.Fatal(err)
	}
	word := func(i int) float64 { return float64(int16(binary.LittleEndian.Uint16(b[1+2*i:]))) * 4912e-6 / 32760 }
	chip := [3]float64{word(1), word(0), -word(2)}
	return [3]float64{-chip[1], chip[0], chip[2]}
}

// The magnetic heading follows the robot round.
func TestHeadingThroughTheMagnetometer(t *testing.T) {
	m := newIMU(t, "plane", "mpu9250", sim.Options{Quiet: true})
	if m.robot.Bus().Tx(0x0C, nil, nil) == nil {
		t.Error("the magnetometer answers without the bypass")
	}
	for _, c := range []struct {
		addr uint16
		w    []byte
	}{{0x68, []byte{0x6A, 0}}, {0x68, []byte{0x37, 0x02}}, {0x0C, []byte{0x0A, 0x16}}} {
		if err := m.robot.Bus().Tx(c.addr, c.w, nil); err != nil {
			t.Fatal(err)
		}
	}
	for theta := -3.0; theta < 3; theta += 0.4 {
		if err := m.robot.Place(sim.Pose{Theta: theta}); err != nil {
			t.Fatal(err)
		}
		m.clock.Sleep(30 * time.Millisecond)
		m.compass() // releases the measurement that was held
		m.clock.Sleep(30 * time.Millisecond)
		f := m.compass()
		near(t, "heading", math.Remainder(math.Atan2(f[0], f[1])-theta, 2*math.Pi), 0, 0.08) // 1 µT of iron each in 22
		near(t, "down", f[2], -43e-6, 1.2e-6)
	}
}

// The add-on on the Pi-puck board follows the robot round, too.
func TestHeadingThroughTheBoardMagnetometer(t *testing.T) {
	g := newRig(t, "robots: [{name: r, magnetometer: bmm150}]", sim.Options{Quiet: true})
	mag, err := bmm150.New(g.robot.BoardBus(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func() (r bmm150.Reading) {
		t.Helper()
		for range 100 {
			g.clock.Sleep(20 * time.Millisecond)
			fresh, err := mag.Poll(g.clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			if fresh && mag.Sense(&r) == nil {
				return r
			}
		}
		t.Fatal("no reading in two seconds")
		return r
	}
	for theta := -3.0; theta < 3; theta += 0.4 {
		if err := g.robot.Place(sim.Pose{Theta: theta}); err != nil {
			t.Fatal(err)
		}
		read() // begun before the robot was turned
		f := read().Field
		near(t, "heading", math.Remainder(math.Atan2(f[0], f[1])-theta, 2*math.Pi), 0, 0.1) // 1 µT of iron each in 22
		near(t, "down", f[2], -43e-6, 2e-6)
	}
}
