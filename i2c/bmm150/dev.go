// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Reading is one measurement.
type Reading struct {
	// At is the middle of the measurement.
	At time.Time
	// Field is the magnetic flux density in tesla, in the robot's axes, motors and magnets of the robot included.
	Field [3]float64
}

// Dev is one BMM150 on a bus it does not own. It is not safe for concurrent use: the goroutine that owns the bus
// calls all its methods.
type Dev struct {
	device.Resource
	chip *device.Chip
	plan *bringUp
	opts Opts

	reading Reading
	have    bool
	started time.Time // start of the measurement in progress; zero if none is
	looked  time.Time // time of the first Poll that found it unfinished, zero if none did
	waiting time.Time // time of the first Poll without a new measurement since the last one, zero if none
	w       [2]byte
	r       [blockSize]byte
}

var _ conn.Resource = (*Dev)(nil)

// New returns a device without a transaction. Address 0 searches at all four. Errors match device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("bmm150: New: %w", err)
	}
	addresses := []uint16{addr}
	if addr == 0 {
		addresses = []uint16{Addr, Addr + 1, Addr + 2, LastAddr}
	}
	d := &Dev{opts: o, plan: newBringUp(&o, addresses)}
	if d.chip, err = device.NewChip("BMM150", bus, addresses[0], d.plan, o.Opts); err != nil {
		return nil, fmt.Errorf("bmm150: New: %w", err)
	}
	d.plan.chip, d.Resource = d.chip, d.chip.Shown()
	return d, nil
}

// Variance is the variance of a [Reading] per axis, T², from the data sheet.
func (d *Dev) Variance() float64 { return d.opts.Preset.Variance() }

// Sense returns the last measurement. The error matches device.ErrNoReading if there has been none since the chip was
// brought up, or device.ErrHalted.
func (d *Dev) Sense(r *Reading) error {
	if err := d.chip.Readable(d.have); err != nil {
		return err
	}
	*r = d.reading
	return nil
}

// Halt suspends the chip; the next Poll brings it up again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.have = false
	if err := d.chip.Halt([]byte{regPower, 0x00}); err != nil {
		return fmt.Errorf("bmm150: Halt: %w", err)
	}
	return nil
}

// Poll advances the bring-up or the measurements of the chip at the time now, in at most Opts.Budget transactions: a
// step of the bring-up, or the start of a measurement, or reading it. It reports whether there is a new measurement,
// see [Dev.Sense]. One that has waited too long to be read is discarded and repeated.
//
// The error concerns this call only, for the diagnostics; continue to call Poll. It matches i2c.ErrBus or an error of
// package device, or has the counts of a field beyond the range of an axis or the Hall resistance of an implausible
// measurement.
func (d *Dev) Poll(now time.Time) (fresh bool, err error) {
	wasUp := d.State() == device.Running
	running, err := d.chip.Poll(now)
	if !running {
		return false, err
	}
	if !wasUp {
		d.started, d.waiting, d.have = time.Time{}, time.Time{}, false
		return false, nil
	}
	if !d.chip.Due(now) {
		return false, nil
	}
	fresh, err = d.measure(now)
	if d.State() != device.Running {
		d.have = false
	}
	return fresh, err
}

// measure starts a measurement, or reads the one in progress. With one Poll per control cycle it is read in the cycle
// after its start; if that would be too slow for the rate, the next one is started at once.
func (d *Dev) measure(now time.Time) (bool, error) {
	if d.started.IsZero() || now.Before(d.started) { // the clock was set back
		return false, d.begin(now)
	}
	done := d.started.Add(d.opts.Preset.duration())
	if now.Before(done) {
		return false, nil
	}
	if err := d.read(now, regData, d.r[:]); err != nil {
		return false, err
	}
	b := split(d.r[:])
	if !b.ready {
		return false, d.late(now)
	}
	at, missed := d.started.Add(d.opts.Preset.duration()/2), now.Sub(done) > missedTime
	d.started, d.waiting = time.Time{}, time.Time{}
	field, err := d.plan.trim.field(b)
	if err != nil {
		d.chip.Reject(err)
		return false, err
	}
	d.chip.Accept()
	if missed {
		return false, d.begin(now)
	}
	d.reading, d.have = Reading{At: at, Field: d.opts.Rotation.Apply(field)}, true
	if d.opts.period() < quickPeriod {
		return true, d.begin(now)
	}
	return true, nil
}

const (
	// quickPeriod is the period below which there is no time for separate polls to start and to read a measurement.
	quickPeriod = 90 * time.Millisecond
	// missedTime is how long a measurement may wait to be read.
	missedTime = 200 * time.Millisecond
)

// begin starts one measurement, after which the chip sleeps again.
func (d *Dev) begin(now time.Time) error {
	d.w = [...]byte{regControl, modeForced}
	if err := d.chip.Tx(now, 0, d.w[:], nil); err != nil {
		d.started = time.Time{}
		return err
	}
	d.started, d.looked = now, time.Time{}
	return nil
}

// late determines why a measurement does not end: a chip that was reset is suspended, a stuck one is not; one that
// sleeps did not receive the request.
//
// The time is measured from the first Poll that found it unfinished: on a busy machine the transactions of a Poll may
// be made long after its time, and a working chip has finished within the time of a measurement after that first Poll
// (TestBusyMachineIsNoFrozenChip).
func (d *Dev) late(now time.Time) error {
	if d.looked.IsZero() || now.Before(d.looked) { // the clock was set back
		d.looked = now
	}
	if d.waiting.IsZero() || now.Before(d.waiting) {
		d.waiting = now
	}
	if now.Sub(d.looked) < d.opts.Preset.duration()+lateTime {
		return nil
	}
	modes := d.r[:2]
	if err := d.read(now, regPower, modes); err != nil {
		return err
	}
	if modes[0] != powerOn {
		return d.chip.Lost(now, fmt.Errorf("bmm150: %w: register 0x4b is %#02x, was set to 01", device.ErrReset, modes[0]))
	}
	if waited := now.Sub(d.waiting); waited > frozenTime {
		return d.chip.Lost(now, fmt.Errorf("bmm150: %w: no measurement for %v", device.ErrFrozen, waited))
	}
	return d.begin(now)
}

const (
	// lateTime is by how much a measurement may exceed its nominal time; after frozenTime the chip counts as stuck.
	lateTime   = 60 * time.Millisecond
	frozenTime = 600 * time.Millisecond
)

func (d *Dev) read(now time.Time, reg byte, r []byte) error {
	d.w[0] = reg
	return d.chip.Tx(now, 0, d.w[:1], r)
}
