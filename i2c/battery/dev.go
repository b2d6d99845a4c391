// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"periph.io/x/conn/v3"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Root is the machine's file system. It defaults to os.DirFS("/").
	Root fs.FS
	// Every is the time between readings. It defaults to 1 s.
	Every time.Duration
	// Charger reports whether a charger is connected, and whether that is known; see package pipuck. It defaults to
	// nobody knows. It must not block.
	Charger func() (connected, known bool)
	// Presence says how often to look for an absent converter and when to give up one that was there. ProbeEvery
	// defaults to 5 s here, LostAfter to 3.
	Presence presence.Config
}

// step is what the next Poll does.
type step uint8

const (
	stepRobot step = iota
	stepAux
)

// Dev is the kernel's battery converter. It belongs to one goroutine.
type Dev struct {
	opts             Opts
	tracker          presence.Tracker
	files            Files
	robot, aux       attribute
	robotMV, auxMV   float64 // scale, mV per count
	step             step
	due              time.Time
	pending, reading Reading
}

var _ conn.Resource = (*Dev)(nil)

// New makes a device; it reads nothing.
func New(opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Every < 0 {
		return nil, fmt.Errorf("%w: Every is %v", ErrOpts, o.Every)
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
	if o.Presence.ProbeEvery <= 0 {
		o.Presence.ProbeEvery = 5 * time.Second
	}
	if o.Presence.LostAfter <= 0 {
		o.Presence.LostAfter = 3
	}
	d := &Dev{opts: o, tracker: presence.New(o.Presence)}
	d.reading = Reading{Robot: nobody(), Aux: nobody()}
	return d, nil
}

// String names the device by the file it reads. It implements conn.Resource.
func (d *Dev) String() string {
	if d.files.Robot == "" {
		return "battery"
	}
	return "battery /" + d.files.Robot
}

// Halt closes the files; the next [Dev.Poll] opens them again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.robot.close()
	d.aux.close()
	return nil
}

// Present reports whether the converter is there, as of the last [Dev.Poll]. The batteries themselves are told apart by
// [Cell.Connected].
func (d *Dev) Present() bool { return d.tracker.Present() }

// Files gives the files in use, none while the converter is absent.
func (d *Dev) Files() Files { return d.files }

// State says whether it is there, as of the last [Dev.Poll].
func (d *Dev) State() device.State { return d.tracker.State() }

// Stats gives the counters; an answer is one file read.
func (d *Dev) Stats() presence.Stats { return d.tracker.Stats() }

// Next is when [Dev.Poll] will do something; a time in the past: whenever it is called.
func (d *Dev) Next() time.Time {
	if !d.tracker.Present() {
		return d.tracker.Next()
	}
	return d.due
}

// Reading gives the last complete reading; before the first, and while the converter is absent, nothing is connected.
func (d *Dev) Reading() Reading { return d.reading }

// Poll looks for the files of an absent converter, or reads one of them; that makes the kernel measure, which takes
// about as long as a bus transaction. fresh reports whether a new [Dev.Reading] is complete. The error matches
// [ErrAbsent], [ErrRead], [ErrFormat] or [ErrImplausible]; the last reading stays.
func (d *Dev) Poll(now time.Time) (fresh bool, e presence.Event, err error) {
	if !d.tracker.Present() {
		e, err = d.look(now)
		return false, e, err
	}
	if now.Before(d.due) {
		return false, presence.None, nil
	}
	fresh, err = d.measure(now)
	if err == nil {
		return fresh, d.tracker.Seen(), nil
	}
	d.step, d.due = stepRobot, now.Add(d.opts.Every)
	if e = d.tracker.Missed(now, err); e == presence.Lost {
		_ = d.Halt() // closes only
		d.files = Files{}
		d.reading = Reading{Robot: nobody(), Aux: nobody()}
	}
	return false, e, err
}

// look finds the files and reads what does not change: the scales.
func (d *Dev) look(now time.Time) (presence.Event, error) {
	if !d.tracker.Due(now) {
		return presence.None, ErrAbsent
	}
	files, err := Find(d.opts.Root)
	if err == nil {
		err = d.adopt(files)
	}
	if err != nil {
		return d.tracker.Missed(now, err), err
	}
	d.files, d.step, d.due = files, stepRobot, now
	return d.tracker.Seen(), nil
}

func (d *Dev) adopt(f Files) error {
	d.robotMV, d.auxMV = 1, 1
	if f.Form == FormIIO {
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
		err = fmt.Errorf("%w: %s is %g mV per count", ErrImplausible, name, v)
	}
	return v, err
}

// measure reads one file and completes the reading with the last.
func (d *Dev) measure(now time.Time) (bool, error) {
	if d.step == stepRobot {
		d.pending = Reading{Robot: nobody(), Aux: nobody(), Charging: d.charging()}
		raw, err := d.robot.value()
		if err == nil {
			d.pending.Robot, err = cell(raw, d.robotMV, d.pending.Charging)
		}
		if err != nil {
			return false, err
		}
		if d.aux.name != "" {
			d.step = stepAux
			return false, nil
		}
	} else {
		raw, err := d.aux.value()
		if err == nil {
			d.pending.Aux, err = cell(raw, d.auxMV, ChargingUnknown)
		}
		if err != nil {
			return false, err
		}
	}
	d.step, d.reading = stepRobot, d.pending
	// a second after the last one was due, not after it was done
	if d.due = d.due.Add(d.opts.Every); d.due.Before(now) {
		d.due = now.Add(d.opts.Every)
	}
	return true, nil
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
