// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// felt is a simulation whose robot is felt from inside.
type felt struct {
	t     *testing.T
	clock *sim.Clock
	r     *sim.Firmware
}

func newFelt(t *testing.T, text string) *felt {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: c.Now, Quiet: true, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	return &felt{t, c, sim.RobotsOf[*sim.Firmware](s)[0]}
}

// drive sends speeds, steps/s.
func (f *felt) drive(left, right int16) {
	f.t.Helper()
	cmd := [20]byte{byte(left), byte(uint16(left) >> 8), byte(right), byte(uint16(right) >> 8)}
	for _, b := range cmd[:19] {
		cmd[19] ^= b
	}
	if err := f.r.Bus().Tx(0x1F, cmd[:], nil); err != nil {
		f.t.Fatal(err)
	}
}

// motion returns what the robot feels.
func (f *felt) motion() (accel, gyro physics.Vec3) {
	f.r.Pose() // catches up
	m := f.r.Motion()
	return m.Accel, m.Gyro
}

func about(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %g, want %g ± %g", what, got, want, tolerance)
	}
}

// The integral of the angular velocity over turns, bends and stops is the true
// change of heading.
func TestGyroIntegralIsTheHeading(t *testing.T) {
	f := newFelt(t, "robots: [{name: r}]")
	sum, turned := 0.0, 0.0
	last := f.r.Pose().Theta
	for i := range 4000 {
		switch i {
		case 10:
			f.drive(-300, 300)
		case 1200:
			f.drive(500, 200)
		case 2200:
			f.drive(0, 0)
		case 2500:
			f.drive(1100, -1100)
		case 3700:
			f.drive(0, 0)
		}
		f.clock.Sleep(time.Millisecond)
		_, gyro := f.motion()
		sum += gyro[2] * 0.001
		theta := f.r.Pose().Theta
		turned += math.Remainder(theta-last, 2*math.Pi)
		last = theta
	}
	about(t, "integral", sum, turned, 0.01)
	if math.Abs(turned) < 2 {
		t.Errorf("turned by %v rad only", turned)
	}
}

// The integral of the forward acceleration is the speed; a bump shows.
func TestAccelerationIntegralIsTheSpeed(t *testing.T) {
	f := newFelt(t, "boxes: [{position: [0.337, 0], size: [0.1, 1]}]\nrobots: [{name: r}]") // 0.25 m to go
	sum, peak := 0.0, 0.0
	f.drive(1000, 1000)
	for range 1500 {
		f.clock.Sleep(time.Millisecond)
		accel, _ := f.motion()
		sum += accel[0] * 0.001
	}
	about(t, "speed", sum, f.r.GroundTruth().V, 1e-4)
	for range 1500 {
		f.clock.Sleep(time.Millisecond)
		accel, _ := f.motion()
		sum += accel[0] * 0.001
		peak = min(peak, accel[0])
	}
	about(t, "speed at the wall", sum, 0, 1e-4)
	if peak > -5 || !f.r.GroundTruth().Collided {
		t.Errorf("bump of %v m/s², collided: %v", peak, f.r.GroundTruth().Collided)
	}
}

// In the air the wheels spin and the body rests.
func TestNothingIsFeltInTheAir(t *testing.T) {
	f := newFelt(t, "robots: [{name: r}]")
	f.drive(1000, -1000)
	f.clock.Sleep(time.Second)
	f.r.PickUp()
	f.clock.Sleep(time.Second)
	if _, gyro := f.motion(); gyro[2] != 0 {
		t.Errorf("turning %v rad/s in the air", gyro[2])
	}
}

// Who asks twice at one time gets one answer, shaking and all.
func TestSensesDoNotFlicker(t *testing.T) {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	c := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: c.Now, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &felt{t, c, sim.RobotsOf[*sim.Firmware](s)[0]}
	f.drive(500, 500)
	c.Sleep(500 * time.Millisecond)
	s.Elapsed()
	e := f.r
	first := e.Motion()
	if e.Motion() != first {
		t.Error("two readings at one time differ")
	}
	c.Sleep(time.Millisecond)
	s.Elapsed()
	if m := e.Motion(); m.Accel == first.Accel || m.Gyro == first.Gyro {
		t.Error("a millisecond later the shaking is the same")
	}
}

// What the chips are given is the same bits on every processor; a change of the
// hash means that recorded simulations do not repeat any more.
func TestSensesAreAlwaysTheSame(t *testing.T) {
	const want = "1f3f89db42137697a62f42eaf1b86efb682c3deb5d97dab34af1c5f866be7d91"
	w, err := sim.LoadWorld("line")
	if err != nil {
		t.Fatal(err)
	}
	c := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: c.Now, Seed: 8, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &felt{t, c, sim.RobotsOf[*sim.Firmware](s)[0]}
	h := sha256.New()
	for i := range 300 {
		switch i {
		case 100:
			_ = f.r.Tilt(0.3, -0.7)
			f.r.SetCharger(true)
		case 200:
			f.r.PickUp()
		case 220:
			_ = f.r.Place(sim.Pose{X: 0.2, Y: 0.1, Theta: 2.5})
		}
		f.drive(int16(900-5*i), int16(300+2*i))
		c.Sleep(17 * time.Millisecond)
		f.r.Pose()
		e := f.r
		values := []any{e.Motion(), e.Target(), f.r.Body().Battery().Voltage(), f.r.Body().Battery().Charge()}
		for k := range vground.Sensors {
			values = append(values, e.Spot(k))
		}
		for _, v := range values {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the senses hash to %s, want %s", got, want)
	}
}

// After a stop the body settles and the world can jump again.
func TestIdleAfterAStop(t *testing.T) {
	f := newFelt(t, "robots: [{name: r}]")
	f.drive(1100, 1100)
	f.clock.Sleep(time.Second)
	f.drive(0, 0)
	f.clock.Sleep(200 * time.Millisecond)
	f.r.Pose()
	if !f.r.Body().World().Kernel.Resting() {
		t.Error("not idle 200 ms after the stop")
	}
	f.clock.Sleep(24 * 365 * time.Hour) // would take minutes step by step
	about(t, "charge after a year", f.r.GroundTruth().Charge, 0, 0)
}
