// SPDX-License-Identifier: Apache-2.0

package battery_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// rig is the device on the virtual battery's files.
type rig struct {
	now time.Duration
	bat *vbattery.Battery
	dev *battery.Dev
}

func newRig(t testing.TB, cfg vbattery.Config) *rig {
	t.Helper()
	r := &rig{}
	cfg.Now = func() time.Duration { return r.now }
	r.bat = vbattery.New(cfg)
	var err error
	r.dev, err = battery.New(&battery.Opts{Root: r.bat.FS(), Charger: func() (bool, bool) { return r.bat.Charging(), true }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) poll() (fresh bool, event string, err error) {
	event, err = i2cfake.Event(r.dev, func() (err error) {
		fresh, err = r.dev.Poll(start.Add(r.now))
		return err
	})
	return fresh, event, err
}

// TestDrive: at full speed the battery is emptied level by level, and every reading is the battery's voltage.
func TestDrive(t *testing.T) {
	for _, form := range []vbattery.Form{vbattery.IIO, vbattery.HWMon, vbattery.HWMonOld} {
		r := newRig(t, vbattery.Config{Form: form, Noise: noise.New(1), WheelSpeed: func() float64 { return 6.9 }})
		off := 0
		m, err := battery.NewMonitor(battery.MonitorConfig{PowerOff: func() error { off++; return nil }})
		if err != nil {
			t.Fatal(err)
		}
		var log []string
		for off == 0 && r.now < 6*time.Hour {
			r.now += 5 * time.Second
			fresh, _, err := r.poll()
			if err != nil {
				t.Fatal(err)
			}
			if !fresh {
				continue
			}
			reading := r.dev.Reading()
			if d := math.Abs(reading.Robot.Voltage - r.bat.Voltage()); d > 0.015 {
				t.Fatalf("form %d: off by %v V", form, d)
			}
			if c := m.Update(start.Add(r.now), reading); c.From != c.To {
				log = append(log, c.To.String())
			}
		}
		if got := strings.Join(log, ", "); got != "ok, low, very low, critical" || off != 1 || r.bat.Charge() > 0.05 {
			t.Errorf("form %d: %s; switched off %d times with %v left", form, got, off, r.bat.Charge())
		}
	}
}

// TestChargerAndAux: both batteries, and the charger's own scale of charge.
func TestChargerAndAux(t *testing.T) {
	r := newRig(t, vbattery.Config{Charge: 0.5})
	r.bat.SetAux(3.9)
	r.bat.Charger(true)
	for range 3 {
		if _, _, err := r.poll(); err != nil {
			t.Fatal(err)
		}
	}
	got := r.dev.Reading()
	if got.Charging != battery.Recharging || math.Abs(got.Robot.Charge-0.5) > 0.02 || math.Abs(got.Aux.Voltage-3.9) > 0.01 {
		t.Errorf("%+v", got)
	}
}

// TestNoAllocation: polls between two readings, and the monitor. Those that read are tested on real files.
func TestNoAllocation(t *testing.T) {
	r := newRig(t, vbattery.Config{})
	m, err := battery.NewMonitor(battery.MonitorConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, _, _ = r.poll()
	}
	at := start.Add(r.now)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := r.dev.Poll(at); err != nil {
			t.Fatal(err)
		}
		m.Update(at, r.dev.Reading())
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The robot's battery, and when to stop. On a robot Opts is nil.
func ExampleDev_Poll() {
	bat := vbattery.New(vbattery.Config{Charge: 0.03})
	dev, err := battery.New(&battery.Opts{Root: bat.FS()})
	if err != nil {
		fmt.Println(err)
		return
	}
	watch, err := battery.NewMonitor(battery.MonitorConfig{Confirm: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		now := start.Add(time.Duration(i) * 50 * time.Millisecond)
		fresh, err := dev.Poll(now)
		fmt.Println(dev.Present(), fresh, err)
		if fresh {
			r := dev.Reading()
			fmt.Printf("%.2f V, %v, stop: %v\n", r.Robot.Voltage, r.Charging, watch.Update(now, r).Critical)
		}
	}
	// Output:
	// true false <nil>
	// true false <nil>
	// true true <nil>
	// 3.37 V, unknown, stop: false
}
