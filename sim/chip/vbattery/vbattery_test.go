// SPDX-License-Identifier: Apache-2.0

package vbattery_test

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

const hour = time.Hour

// world is the rest of the robot: its clock and its wheels.
type world struct {
	now   time.Duration
	speed float64
}

func (w *world) battery(cfg vbattery.Config) *vbattery.Battery {
	cfg.Now = func() time.Duration { return w.now }
	cfg.WheelSpeed = func() float64 { return w.speed }
	return vbattery.New(cfg)
}

// volts reads a channel as a user of the files would.
func volts(t *testing.T, fsys fs.FS, raw, scale string) float64 {
	t.Helper()
	number := func(name string) float64 {
		p, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(string(p)), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	s := 1.0
	if scale != "" {
		s = number(scale)
	}
	return number(raw) * s / 500
}

// TestDrains: wheels that turn empty the battery faster, and the voltage follows.
func TestDrains(t *testing.T) {
	var rest, drive world
	a, b := rest.battery(vbattery.Config{}), drive.battery(vbattery.Config{})
	drive.speed = -6.98 // backwards costs the same
	last := [2]float64{5, 5}
	for range 16 {
		rest.now, drive.now = rest.now+hour/8, drive.now+hour/8
		a.Advance()
		b.Advance()
		now := [2]float64{a.Voltage(), b.Voltage()}
		if now[0] >= last[0] || now[1] >= last[1] || now[1] >= now[0] {
			t.Fatalf("after %v: %v V at rest, %v V driving; before %v", rest.now, now[0], now[1], last)
		}
		last = now
	}
	if got := a.Charge(); math.Abs(got-(1-2*0.3/1.8)) > 1e-6 {
		t.Errorf("%v left at rest", got)
	}
	if got := b.Charge(); math.Abs(got-(1-2*0.5/1.8)) > 1e-6 {
		t.Errorf("%v left driving", got)
	}
	drive.now += 100 * hour
	b.Advance()
	if b.Charge() != 0 || b.Voltage() > 3.3 {
		t.Errorf("%v left, %v V after days", b.Charge(), b.Voltage())
	}
}

// TestCharger: the voltage is within the ends measured on the real charger, and the charge rises to full.
func TestCharger(t *testing.T) {
	var w world
	b := w.battery(vbattery.Config{Charge: 0.001})
	b.Charger(true)
	if v := b.Voltage(); !b.Charging() || math.Abs(v-3.778) > 0.002 {
		t.Errorf("charging %v, %v V", b.Charging(), v)
	}
	w.now += 4 * hour
	if v := b.Voltage(); b.Charge() != 1 || math.Abs(v-4.198) > 1e-9 {
		t.Errorf("charge %v, %v V", b.Charge(), v)
	}
	b.Charger(false)
	if v := b.Voltage(); math.Abs(v-(4.138-0.3*0.12)) > 1e-9 {
		t.Errorf("%v V just off the charger", v)
	}
	b.Overload(2)
	if v := b.Voltage(); math.Abs(v-(4.138-2.3*0.12)) > 1e-9 {
		t.Errorf("%v V under load", v)
	}
	b.SetCharge(7)
	if b.Charge() != 1 {
		t.Errorf("charge %v", b.Charge())
	}
	b.SetCharge(math.NaN())
	if b.Charge() != 0 {
		t.Errorf("charge %v", b.Charge())
	}
	w.now -= hour // a clock that goes back changes nothing
	if b.Advance(); b.Charge() != 0 {
		t.Errorf("charge %v", b.Charge())
	}
}

// TestFiles: every form gives the true voltage within the converter's resolution and noise.
func TestFiles(t *testing.T) {
	for form, names := range map[vbattery.Form][4]string{
		vbattery.IIO: {
			"sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_raw", "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_scale",
			"sys/bus/i2c/devices/11-0048/iio:device0/in_voltage1_raw", "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage1_scale",
		},
		vbattery.HWMon:    {"sys/bus/i2c/devices/3-0048/hwmon/hwmon1/in4_input", "", "sys/bus/i2c/devices/3-0048/hwmon/hwmon1/in5_input", ""},
		vbattery.HWMonOld: {"sys/bus/i2c/drivers/ads1015/3-0048/in4_input", "", "sys/bus/i2c/drivers/ads1015/3-0048/in5_input", ""},
	} {
		var w world
		b := w.battery(vbattery.Config{Form: form, Noise: noise.New(2), Charge: 0.6})
		b.SetAux(3.9)
		worst := 0.0
		for range 300 {
			w.now += time.Second
			worst = max(worst, math.Abs(volts(t, b.FS(), names[0], names[1])-b.Voltage()),
				math.Abs(volts(t, b.FS(), names[2], names[3])-3.9))
		}
		if worst > 0.015 || worst == 0 {
			t.Errorf("form %d is off by %v V", form, worst)
		}
		b.SetAux(0)
		if v := volts(t, b.FS(), names[2], names[3]); v > 0.02 {
			t.Errorf("an open input gives %v V", v)
		}
	}
}

// cell is a battery that is simulated elsewhere.
type cell struct {
	voltage  float64
	charging bool
}

func (c *cell) Voltage() float64 { return c.voltage }
func (c *cell) Charging() bool   { return c.charging }

// TestCell: the files show the given battery.
func TestCell(t *testing.T) {
	c := &cell{voltage: 3.9}
	b := vbattery.New(vbattery.Config{Cell: c, Charge: 0.1})
	for _, v := range []float64{3.9, 3.4} {
		c.voltage, c.charging = v, v > 3.5
		got := volts(t, b.FS(), "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_raw",
			"sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_scale")
		if math.Abs(got-v) > 0.01 || b.Voltage() != v || b.Charging() != c.charging {
			t.Errorf("%v V, %v V in the files, charging %v", b.Voltage(), got, b.Charging())
		}
	}
}

func ExampleBattery() {
	b := vbattery.New(vbattery.Config{Charge: 0.5})
	raw, err := fs.ReadFile(b.FS(), "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_scale")
	fmt.Printf("%.3f V, %s%v\n", b.Voltage(), raw, err)
	// Output:
	// 3.764 V, 2.000000000
	// <nil>
}

// TestMeasured: what is measured without files is what the files say.
func TestMeasured(t *testing.T) {
	now := time.Duration(0)
	src := noise.New(3)
	b := vbattery.New(vbattery.Config{Now: func() time.Duration { return now }, Noise: src, Cell: steady(3.777)})
	for range 50 {
		now += 7 * time.Millisecond
		text, err := fs.ReadFile(b.FS(), "sys/bus/i2c/devices/11-0048/iio:device0/in_voltage0_raw")
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if got := vbattery.Measured(3.777, src, false, now); err != nil || math.Abs(got-0.004*float64(want)) > 1e-9 {
			t.Fatalf("at %v: %v V, the files say %v counts of 4 mV, %v", now, got, want, err)
		}
	}
	if got := vbattery.Measured(3.777, src, true, now); got != 3.776 {
		t.Errorf("without noise: %v V", got)
	}
}

// steady is a cell of one voltage, V.
type steady float64

func (s steady) Voltage() float64 { return float64(s) }
func (steady) Charging() bool     { return false }
