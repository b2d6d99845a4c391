// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// batteryFiles are the kernel's files of a battery whose voltage a test sets.
type batteryFiles struct {
	mu    sync.Mutex
	files fstest.MapFS
}

const batteryFolder = "sys/bus/i2c/devices/11-0048/iio:device0/"

func newBatteryFiles(volts float64) *batteryFiles {
	b := &batteryFiles{files: fstest.MapFS{}}
	b.set(volts)
	return b
}

func (b *batteryFiles) Open(name string) (fs.File, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, err := b.files.Open(name)
	if err != nil {
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return d, nil
	}
	return struct{ fs.File }{f}, nil // it can't be read again: each reading opens it anew and sees what it is now
}

// set changes the voltage; the converter sees half of it, 3 mV a count.
func (b *batteryFiles) set(volts float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	files := fstest.MapFS{}
	if volts > 0 {
		files[batteryFolder+"in_voltage0_raw"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d\n", int(math.Round(volts*500/3)))}
		files[batteryFolder+"in_voltage0_scale"] = &fstest.MapFile{Data: []byte("3.000000000\n")}
	}
	b.files = files
}

// Fields that are not measured are NaN or unknown, and the voltage is that of the file.
func TestBatteryState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		charging := false
		r := newRig(t, rigOptions{config: func(c *Config) {
			chipsOf(c).Files = newBatteryFiles(3.9)
			chipsOf(c).Charger = func() (bool, bool) { return charging, true }
		}})
		states := listenTo[sensor_msgs.BatteryState](r, "battery_state")
		time.Sleep(10 * time.Second)
		if n := len(states()); n < 8 || n > 10 {
			t.Errorf("%d messages in 10 s", n)
		}
		m := last(r, states)
		for name, v := range map[string]float32{
			"temperature": m.Temperature, "current": m.Current, "charge": m.Charge, "capacity": m.Capacity, "design": m.DesignCapacity,
		} {
			if v == v {
				t.Errorf("%s is %v, but is not measured", name, v)
			}
		}
		if math.Abs(float64(m.Voltage)-3.9) > 0.01 || m.Percentage < 0.6 || m.Percentage > 0.8 || !m.Present ||
			m.PowerSupplyStatus != sensor_msgs.BatteryStatePowerSupplyStatusDischarging {
			t.Errorf("%+v", m)
		}
	})
}

// A critical battery stops the wheels and is logged once; after charging, commands are accepted again.
func TestCriticalBatteryStopsTheWheels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := newBatteryFiles(3.7)
		r := newRig(t, rigOptions{config: func(c *Config) { chipsOf(c).Files = files }})
		r.drive(0.05, 0, 3*time.Second)
		files.set(3.55)
		r.drive(0.05, 0, 8*time.Second)
		if n := r.log.count("charge the battery"); n != 1 || r.robot.GroundTruth().LeftSpeed == 0 {
			t.Errorf("a low battery is logged %d times, or stops the robot", n)
		}
		files.set(3.3)
		r.drive(0.05, 0, 8*time.Second)
		r.wantAtRest()
		files.set(3.9)
		r.drive(0.05, 0, 8*time.Second)
		if r.robot.GroundTruth().LeftSpeed == 0 {
			t.Error("a charged battery does not give the wheels back")
		}
		for _, text := range []string{"battery is critical: wheels stopped", "no longer critical"} {
			if n := r.log.count(text); n != 1 {
				t.Errorf("%q is said %d times\n%v", text, n, r.log)
			}
		}
	})
}

func TestPowerOffIsOptional(t *testing.T) {
	for _, c := range []struct {
		args  string
		err   error
		calls int
		says  string
	}{
		{"", nil, 0, "wheels stopped"},
		{"-p battery_poweroff:=true", nil, 1, "the machine is switched off"},
		{"-p battery_poweroff:=true", errors.New("not allowed"), 2, "not allowed"},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			r := newRig(t, rigOptions{args: c.args, config: func(cfg *Config) {
				chipsOf(cfg).Files = newBatteryFiles(3.3)
				cfg.PowerOff = func() error {
					calls++
					return c.err
				}
			}})
			time.Sleep(80 * time.Second)
			r.must(r.end())
			if calls != c.calls || r.log.count(c.says) == 0 {
				t.Errorf("%q: %d calls\n%v", c.args, calls, r.log)
			}
		})
	}
}

// The topic exists while the files do.
func TestBatteryComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := newBatteryFiles(0)
		r := newRig(t, rigOptions{config: func(c *Config) { chipsOf(c).Files = files }})
		for _, there := range []bool{false, true, false} {
			files.set(map[bool]float64{true: 3.8}[there])
			time.Sleep(15 * time.Second)
			if r.offers("/battery_state") != there {
				t.Errorf("battery_state is offered: %v\n%v", !there, r.log)
			}
		}
	})
}
