// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Root is the machine's file system. It defaults to os.DirFS("/").
	Root fs.FS
	// Every is the time between readings. It defaults to 1 s.
	Every time.Duration
	// Charger reports whether a charger is connected, and whether that is known; see package pipuck. It must not block.
	// It defaults to a function that reports unknown.
	Charger func() (connected, known bool)
	// Opts has the interval of the search for an absent converter and the number of failures of a lost one.
	// RetryInterval defaults to 5 s here, Tries to 3.
	device.Opts
}

// step is what the next Poll does.
type step uint8

const (
	stepRobot step = iota
	stepAux
)

// Dev is the kernel's battery converter. It belongs to one goroutine.
type Dev struct {
	device.Resource
	chip             *device.Chip
	opts             Opts
	files            Files
	robot, aux       attribute
	robotMV, auxMV   float64 // scale, mV per count
	step             step
	measure          device.Step
	due              time.Time
	fresh            bool // the last measure completed a reading
	pending, reading Reading
}

// New returns a device; it reads no file. The error matches device.ErrOption.
func New(opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Every < 0 {
		return nil, fmt.Errorf("battery: %w: Every is %v", device.ErrOption, o.Every)
	}
	if o.Root == nil {
		o.Root = os.DirFS("/")
	}
	if o.Every == 0 {
		o.Every = time.Second
	}
	if o.Charger == nil {
		o.Charger = func() (bool, bool) { return false, false }
	}
	d := &Dev{opts: o, reading: Reading{Robot: absent(), Aux: absent()}}
	d.measure = device.Step{Do: d.read}
	chip, err := device.NewWithoutBus("battery", device.Found(device.Step{Do: d.find, Tries: 1}), o.WithDefaults(3, 5*time.Second))
	if err != nil {
		return nil, fmt.Errorf("battery: %w", err)
	}
	d.Resource, d.chip = chip.Shown(), chip
	return d, nil
}

// Halt closes the files; the next [Dev.Poll] opens them again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.robot.close()
	d.aux.close()
	return nil
}

// Files returns the files in use, none while the converter is absent.
func (d *Dev) Files() Files { return d.files }

// Reading returns the last complete reading; before the first, and while the converter is absent, nothing is connected.
func (d *Dev) Reading() Reading { return d.reading }

// Poll searches for the files of an absent converter, or reads one of them; that makes the kernel measure, which takes
// about as long as a bus transaction. fresh reports whether a new [Dev.Reading] is complete. The error matches
// [ErrAbsent] without a converter; otherwise it names a file that could not be read or is not a number, or has an
// implausible voltage or scale. The last reading remains.
func (d *Dev) Poll(now time.Time) (fresh bool, err error) {
	known := d.Present()
	running, err := d.chip.Poll(now)
	switch {
	case !running:
		return false, err
	case !known:
		d.plan(now)
		return false, nil
	case !d.chip.Due(now):
		return false, nil
	}
	d.fresh = false
	if _, err = d.chip.Do(now, &d.measure); err != nil {
		d.step = stepRobot
		d.plan(now.Add(d.opts.Every))
		d.forget()
		return false, err
	}
	if d.fresh { // a second after the last one was due, not after it was done
		next := d.due.Add(d.opts.Every)
		if next.Before(now) {
			next = now.Add(d.opts.Every)
		}
		d.plan(next)
		d.chip.Accept()
	}
	return d.fresh, nil
}

// plan schedules the next reading.
func (d *Dev) plan(at time.Time) {
	d.due = at
	d.chip.Rest(at)
}

// forget closes the files of a converter that is gone.
func (d *Dev) forget() {
	if d.Present() {
		return
	}
	_ = d.Halt() // closes only
	d.files = Files{}
	d.reading = Reading{Robot: absent(), Aux: absent()}
	d.chip.SetName("battery")
}

// find searches for the files and reads the constant ones: the scales.
func (d *Dev) find() error {
	files, err := find(d.opts.Root)
	if err != nil {
		return err
	}
	if err := d.adopt(files); err != nil {
		return err
	}
	d.files, d.step = files, stepRobot
	d.chip.SetName("battery /" + files.Robot)
	return nil
}

func (d *Dev) adopt(f Files) error {
	d.robotMV, d.auxMV = 1, 1
	if f.Form == formIIO {
		var err error
		if d.robotMV, err = d.constant(f.RobotScale); err != nil {
			return err
		}
		if f.Aux != "" {
			if d.auxMV, err = d.constant(f.AuxScale); err != nil {
				return err
			}
		}
	}
	d.robot = attribute{fsys: d.opts.Root, name: f.Robot}
	d.aux = attribute{fsys: d.opts.Root, name: f.Aux}
	return nil
}

func (d *Dev) constant(name string) (float64, error) {
	a := attribute{fsys: d.opts.Root, name: name}
	defer a.close()
	v, err := a.value()
	if err == nil && v <= 0 {
		err = fmt.Errorf("%w: %s is %g mV per count", errImplausible, name, v)
	}
	return v, err
}

// read reads one file; the last one completes the reading.
func (d *Dev) read() error {
	if d.step == stepRobot {
		d.pending = Reading{Robot: absent(), Aux: absent(), Charging: d.charging()}
		raw, err := d.robot.value()
		if err == nil {
			d.pending.Robot, err = cell(raw, d.robotMV, d.pending.Charging)
		}
		if err != nil {
			return err
		}
		if d.aux.name != "" {
			d.step = stepAux
			return nil
		}
	} else {
		raw, err := d.aux.value()
		if err == nil {
			d.pending.Aux, err = cell(raw, d.auxMV, ChargingUnknown)
		}
		if err != nil {
			return err
		}
	}
	d.step, d.reading, d.fresh = stepRobot, d.pending, true
	return nil
}

func (d *Dev) charging() Charging {
	switch on, known := d.opts.Charger(); {
	case !known:
		return ChargingUnknown
	case on:
		return Recharging
	}
	return Discharging
}
