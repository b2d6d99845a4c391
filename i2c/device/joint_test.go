// SPDX-License-Identifier: Apache-2.0

package device_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

const (
	cycle   = 50 * time.Millisecond
	mcuAddr = 0x1F
)

// processor represents the robot's main processor: an exchange is due in every cycle.
type processor struct{}

func (processor) Ready() bool          { return true }
func (processor) Receive(w []byte) int { return len(w) }
func (processor) Transmit(r []byte)    { clear(r) }
func (processor) Disturbed()           {}

// robot is all chips on one bus with one owner, in simulated time. It turns on the spot.
type robot struct {
	t       testing.TB
	now     time.Duration
	theta   float64
	omega   float64
	bus     *vbus.Bus
	virtual struct {
		tof *vtof.Chip
		imu *vimu.Chip
		mag *vmag.Chip
	}
	tof *vl53l0x.Dev
	imu *imu.Dev
	mag *bmm150.Dev

	served                  int           // exchanges of the processor
	worst                   time.Duration // of a cycle's bus time
	samples, ranges, fields int
	integral                float64 // of the gyroscope, rad
}

func (g *robot) Target() vtof.Target { return vtof.Target{Distance: 0.5, Reflectance: 0.9} }

func (g *robot) Field() ([3]float64, float64) {
	s, c := math.Sincos(g.theta)
	return [3]float64{20e-6 * c, -20e-6 * s, -43e-6}, 30 // x axis north at heading 0
}

func (g *robot) Motion() vimu.Motion {
	f, temperature := g.Field()
	return vimu.Motion{Accel: [3]float64{0, 0, 9.80665}, Gyro: [3]float64{0, 0, g.omega}, Field: f, Temperature: temperature}
}

func newRobot(t testing.TB, model vimu.Model) *robot {
	t.Helper()
	g := &robot{t: t}
	now := func() time.Duration { return g.now }
	g.bus = vbus.New(vbus.Config{Sleep: func(d time.Duration) { g.now += d }})
	g.virtual.tof = vtof.New(vtof.Config{Now: now, Scene: g, Noise: noise.New(1)})
	g.virtual.imu = vimu.New(vimu.Config{Model: model, Now: now, Body: g, Noise: noise.New(2)})
	g.virtual.mag = vmag.New(vmag.Config{Now: now, World: g, Noise: noise.New(3)})
	chips := map[uint16]vbus.Chip{
		mcuAddr: processor{}, vtof.Address: g.virtual.tof, vimu.AddressLow: g.virtual.imu, vmag.Address: g.virtual.mag,
	}
	if m := g.virtual.imu.Magnetometer(); m != nil {
		chips[vimu.AddressField] = m
	}
	for addr, c := range chips {
		if err := g.bus.Attach(addr, c); err != nil {
			t.Fatal(err)
		}
	}
	var e1, e2, e3 error
	g.tof, e1 = vl53l0x.New(g.bus, 0, nil)
	g.imu, e2 = imu.New(g.bus, 0, nil)
	g.mag, e3 = bmm150.New(g.bus, 0, nil)
	if err := errors.Join(e1, e2, e3); err != nil {
		t.Fatal(err)
	}
	return g
}

// run makes cycles: the processor first, then every chip.
func (g *robot) run(cycles int) {
	g.t.Helper()
	w, r := make([]byte, 20), make([]byte, 47)
	for range cycles {
		begin := g.now
		if err := g.bus.Tx(mcuAddr, w, r); err != nil {
			g.t.Fatal(err)
		}
		g.served++
		at := time.Unix(1000, 0).Add(g.now)
		if u, _ := g.imu.Poll(at); u.Sample {
			var s imu.Reading
			if err := g.imu.Sense(&s); err != nil {
				g.t.Fatal(err)
			}
			g.samples++
			g.integral += s.Gyro[2] * cycle.Seconds()
		}
		if fresh, _ := g.tof.Poll(at); fresh {
			g.ranges++
		}
		if fresh, _ := g.mag.Poll(at); fresh {
			g.fields++
		}
		g.worst = max(g.worst, g.now-begin)
		g.now = begin + cycle
		g.theta += g.omega * cycle.Seconds()
	}
}

// TestOneSchedule: with every chip on the bus a cycle takes at most 20 ms during their bring-up, and 15 ms afterwards.
func TestOneSchedule(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		g := newRobot(t, model)
		g.run(60)
		if g.worst > 20*time.Millisecond {
			t.Errorf("%v: a cycle of the bring-up takes %v", model, g.worst)
		}
		g.worst, g.samples, g.ranges, g.fields = 0, 0, 0, 0
		g.run(200)
		if g.worst > 15*time.Millisecond || g.samples < 199 || g.ranges < 199 || g.fields < 95 {
			t.Errorf("%v: a cycle takes %v; %d samples, %d ranges, %d fields in 10 s", model, g.worst, g.samples, g.ranges, g.fields)
		}
	}
}

// TestDeadChips: if any chip fails or holds the clock of the bus, the processor is still served in every cycle, the
// other chips keep working, and the failed one recovers.
func TestDeadChips(t *testing.T) {
	for name, c := range map[string]struct {
		addr  int
		state func(g *robot) device.State
	}{
		"ToF": {vtof.Address, func(g *robot) device.State { return g.tof.State() }},
		"IMU": {vimu.AddressLow, func(g *robot) device.State { return g.imu.State() }},
		"mag": {vmag.Address, func(g *robot) device.State { return g.mag.State() }},
	} {
		for _, kind := range []vbus.Kind{vbus.NAK, vbus.Timeout, vbus.ReadTimeout} {
			g := newRobot(t, vimu.ICM20948)
			g.run(60)
			g.bus.Faults().Only(c.addr)
			if err := g.bus.Faults().Hold(vbus.Fault{Kind: kind}); err != nil {
				t.Fatal(err)
			}
			g.worst, g.samples, g.ranges, g.fields = 0, 0, 0, 0
			g.run(200)
			if limit := 35 * time.Millisecond; g.worst > limit {
				t.Errorf("%s, %v: a cycle takes %v, more than %v", name, kind, g.worst, limit)
			}
			lively := 0
			for _, ok := range []bool{g.samples > 195, g.ranges > 195, g.fields > 90} {
				if ok {
					lively++
				}
			}
			if lively != 2 || c.state(g) == device.Running {
				t.Errorf("%s, %v: %v; %d samples, %d ranges, %d fields", name, kind, c.state(g), g.samples, g.ranges, g.fields)
			}
			if err := g.bus.Faults().Hold(vbus.Fault{}); err != nil {
				t.Fatal(err)
			}
			g.run(80)
			if c.state(g) != device.Running || g.served != 340 {
				t.Errorf("%s, %v: afterwards %v", name, kind, c.state(g))
			}
		}
	}
}

// TestTurn: the integral of the calibrated gyroscope over a turn is a turn, and the magnetometers follow the heading.
func TestTurn(t *testing.T) {
	for _, model := range []vimu.Model{vimu.MPU9250, vimu.ICM20948} {
		g := newRobot(t, model)
		if err := g.imu.Calibrate(imu.CalibrationOpts{Samples: 40}); err != nil {
			t.Fatal(err)
		}
		g.run(100)
		if _, err := g.imu.Calibration(); err != nil {
			t.Fatal(err)
		}
		g.integral, g.omega = 0, 2*math.Pi/10
		for turned := range 4 { // quarter by quarter
			g.run(50)
			if want := float64(turned+1) * math.Pi / 2; math.Abs(g.integral-want) > 0.02 {
				t.Errorf("%v: the gyroscope says %.3f rad after %.3f", model, g.integral, want)
			}
			var f imu.Field
			var r bmm150.Reading
			if err := errors.Join(g.imu.SenseField(&f), g.mag.Sense(&r)); err != nil {
				t.Fatal(err)
			}
			for _, field := range [][3]float64{f.Field, r.Field} {
				heading := math.Atan2(-field[1], field[0])
				// Sampled at 8 and 10 Hz, the field is up to 0.13 s old: 0.08 rad.
				if d := math.Remainder(heading-g.theta, 2*math.Pi); math.Abs(d) > 0.2 {
					t.Errorf("%v: heading %.3f rad at %.3f", model, heading, g.theta)
				}
			}
		}
	}
}
