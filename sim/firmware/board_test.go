// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"errors"
	"io/fs"
	"math"
	"strconv"
	"strings"
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

func TestTiltRefused(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	for _, a := range [][2]float64{{4, 0}, {0, -4}, {math.NaN(), 0}, {0, math.Inf(1)}} {
		if err := g.robot.Tilt(a[0], a[1]); !errors.Is(err, sim.ErrRange) {
			t.Errorf("%v: %v", a, err)
		}
	}
}
