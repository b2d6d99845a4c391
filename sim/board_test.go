// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestBoardLEDs(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	g.clock.Sleep(5 * time.Second)
	for i, colour := range []byte{1, 2, 4} {
		if err := g.robot.BoardBus().Tx(0x1C, []byte{byte(i), colour}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if l := g.robot.GroundTruth().BoardLEDs; l != [3]byte{1, 2, 4} {
		t.Errorf("LEDs %v", l)
	}
	reset := g.robot.Pin(sim.PinFT903Reset)
	if err := reset.Out(gpio.Low); err != nil {
		t.Fatal(err)
	}
	if g.robot.BoardBus().Tx(0x1C, nil, nil) == nil {
		t.Error("the chip answers while its reset is held")
	}
	if err := reset.Out(gpio.High); err != nil {
		t.Fatal(err)
	}
	if l := g.robot.GroundTruth().BoardLEDs; l != [3]byte{} {
		t.Errorf("LEDs %v after the reset", l)
	}
	if s := g.robot.BoardBus().String(); s != "sim:epuck:board" {
		t.Errorf("the board's bus is called %q", s)
	}
}

// The reset line stops the robot's processor, and it starts anew when released.
func TestRobotReset(t *testing.T) {
	g := newRig(t, "plane", sim.Options{BootTime: 100 * time.Millisecond})
	g.drive(500, 500, time.Second)
	reset := g.robot.Pin(sim.PinRobotReset)
	if err := reset.Out(gpio.Low); err != nil {
		t.Fatal(err)
	}
	x := g.robot.Pose().X
	g.clock.Sleep(time.Second)
	if g.tryExchange(0, 0) == nil {
		t.Error("answers while held")
	}
	near(t, "x", g.robot.Pose().X, x, 0)
	if err := reset.Out(gpio.High); err != nil {
		t.Fatal(err)
	}
	if g.tryExchange(0, 0) == nil {
		t.Error("answers at once after the reset")
	}
	g.clock.Sleep(100 * time.Millisecond)
	g.exchange(0, 0)
	if g.word(41) != 0 {
		t.Errorf("counter %d after the reset", g.word(41))
	}
}

func TestBoardPins(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	button, charger := g.robot.Pin(sim.PinButton), g.robot.Pin(sim.PinCharger)
	if err := button.In(gpio.PullUp, gpio.NoEdge); err != nil {
		t.Fatal(err)
	}
	for _, pressed := range []bool{false, true, false} {
		g.robot.PressBoardButton(pressed)
		if low := button.Read() == gpio.Low; low != pressed {
			t.Errorf("pressed %v: low is %v", pressed, low)
		}
	}
	for _, on := range []bool{false, true, false} {
		g.robot.SetCharger(on)
		if high := charger.Read() == gpio.High; high != on || g.robot.GroundTruth().Charging != on {
			t.Errorf("charger %v: pin high is %v", on, high)
		}
	}
	if g.robot.Pin(1) != nil {
		t.Error("pin 1 is used")
	}
}

// The battery drains, faster while driving, and fills at the charger.
func TestBatteryDrains(t *testing.T) {
	g := newRig(t, "robots: [{name: r, battery: {capacity: 1000, charge: 0.5}}]", sim.Options{MaxCatchUp: -1})
	use := func(what string, left, right int, d time.Duration) float64 {
		g.exchange(left, right)
		before := g.robot.GroundTruth().Charge
		g.clock.Sleep(d)
		after := g.robot.GroundTruth().Charge
		if (after < before) != (what != "charging") {
			t.Errorf("%s: from %v to %v", what, before, after)
		}
		return math.Abs(after-before) / d.Seconds()
	}
	rest := use("at rest", 0, 0, time.Minute)
	slow := use("slow", 200, 200, time.Minute)
	fast := use("fast", 1000, -1000, time.Minute)
	near(t, "rest, 1/s", rest, 0.25/1000, 1e-6)
	if !(rest < slow && slow < fast) {
		t.Errorf("rest %v, slow %v, fast %v", rest, slow, fast)
	}
	g.robot.SetCharger(true)
	near(t, "charging, 1/s", use("charging", 0, 0, time.Minute), 0.65/1000, 1e-5)
	g.robot.SetCharger(false)
	g.clock.Sleep(time.Millisecond)
	high := g.robot.GroundTruth().Voltage
	if err := g.robot.SetCharge(0.01); err != nil {
		t.Fatal(err)
	}
	if low := g.robot.GroundTruth().Voltage; low > 3.4 || high < 3.7 {
		t.Errorf("%v V before, %v V nearly empty", high, low)
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		if err := g.robot.SetCharge(bad); !errors.Is(err, sim.ErrRange) {
			t.Errorf("charge %v: %v", bad, err)
		}
	}
}

// The kernel's files show the battery, and go with the part.
func TestBatteryFiles(t *testing.T) {
	g := newRig(t, "plane", sim.Options{Seed: 4})
	const dir = "sys/bus/i2c/devices/11-0048/iio:device0/"
	volts := func() (float64, error) {
		raw, err := fs.ReadFile(g.robot.BatteryFS(), dir+"in_voltage0_raw")
		if err != nil {
			return 0, err
		}
		counts, err := strconv.ParseFloat(strings.TrimSpace(string(raw)), 64)
		return counts * 2 / 500, err // 2 mV a count, of half the voltage
	}
	for _, share := range []float64{1, 0.5, 0.05} {
		if err := g.robot.SetCharge(share); err != nil {
			t.Fatal(err)
		}
		v, err := volts()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "voltage", v, g.robot.GroundTruth().Voltage, 0.012)
	}
	if err := g.robot.RemovePart(world.BatteryMonitor); err != nil {
		t.Fatal(err)
	}
	if v, err := volts(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("taken off: %v V, %v", v, err)
	}
	if err := g.robot.AddPart(world.BatteryMonitor); err != nil {
		t.Fatal(err)
	}
	_ = g.robot.BatteryMonitor().Break(vbattery.Robot, vbattery.Garbage)
	if v, err := volts(); err == nil {
		t.Errorf("garbage: %v V", v)
	}
	without := newRig(t, "robots: [{name: r, without: [battery]}]", sim.Options{})
	if _, err := fs.Stat(without.robot.BatteryFS(), dir+"in_voltage0_raw"); err == nil {
		t.Error("a robot without the converter has its files")
	}
}

// Files and buses may be used from several goroutines.
func TestBatteryFilesFromManyGoroutines(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 50 {
				_, _ = fs.ReadFile(g.robot.BatteryFS(), "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_raw")
				g.clock.Sleep(time.Millisecond)
			}
		})
		wg.Go(func() {
			for i := range 50 {
				_ = g.robot.Bus().Tx(0x60, []byte{0}, make([]byte, 12))
				g.robot.SetCharger(i%2 == 0)
				_ = g.robot.RemovePart(world.BatteryMonitor)
				_ = g.robot.Pin(sim.PinRobotReset).Out(i%5 != 0)
				_ = g.robot.AddPart(world.BatteryMonitor)
				g.robot.Parts()
			}
		})
	}
	wg.Wait()
}

// How often one looks does not change the battery by a bit.
func TestLookingDoesNotDrain(t *testing.T) {
	run := func(looks int) sim.GroundTruth {
		g := newRig(t, "plane", sim.Options{})
		for _, v := range []int{0, 700, 0, -300} {
			g.exchange(v, v/2)
			for range looks {
				g.clock.Sleep(7 * time.Second / time.Duration(looks))
				g.robot.GroundTruth()
			}
		}
		return g.robot.GroundTruth()
	}
	if a, b := run(1), run(700); a != b {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestTiltRefused(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	for _, a := range [][2]float64{{4, 0}, {0, -4}, {math.NaN(), 0}, {0, math.Inf(1)}} {
		if err := g.robot.Tilt(a[0], a[1]); !errors.Is(err, sim.ErrRange) {
			t.Errorf("%v: %v", a, err)
		}
	}
}
