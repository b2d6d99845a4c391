// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

const (
	// frozenLimit is how many polls in a row may read the same 14 bytes: noise changes some of them in every sample.
	frozenLimit = 20
	// badLimit is how many implausible blocks in a row mean that the chip has to be brought up again.
	badLimit = 3
)

// Update is the result of a Poll.
type Update struct {
	Sample bool // a new sample, see [Dev.Sense]
	Field  bool // a new magnetic field, see [Dev.SenseField]
}

// Poll advances the bring-up or the measurements of the chip at the time now, in at most Opts.Budget transactions: a
// step of the bring-up, or one transaction that reads a sample, with the magnetic field when that is due, and
// periodically one that reads the configuration back.
//
// The error concerns this call only, for the diagnostics; continue to call Poll. It matches i2c.ErrBus or an error of
// package device: device.ErrIdentity for another chip at the address, device.ErrReset or device.ErrFrozen when the chip
// has to be brought up again. An implausible sample, a magnetic field out of range and a magnetometer that has stopped
// answering are errors, too.
func (d *Dev) Poll(now time.Time) (Update, error) {
	wasUp := d.State() == device.Running
	running, err := d.chip.Poll(now)
	if !running {
		return Update{}, err
	}
	if !wasUp {
		d.up(now)
		return Update{}, nil
	}
	u, err := d.measure(now)
	if d.State() != device.Running {
		d.forget()
		return Update{}, err
	}
	return u, err
}

// up starts the measurements.
func (d *Dev) up(now time.Time) {
	d.forget()
	d.scale = scale{d.plan.model, d.opts.AccelRange, d.opts.GyroRange}
	d.nextCheck = now.Add(d.opts.CheckInterval)
	d.mag.next = now
}

func (d *Dev) measure(now time.Time) (u Update, err error) {
	if !d.chip.Due(now) {
		return u, nil
	}
	if !now.Before(d.nextCheck) {
		if err := d.check(now); err != nil {
			return u, err
		}
		d.nextCheck = now.Add(d.opts.CheckInterval)
	}
	magDue := d.plan.hasMag && !now.Before(d.mag.next)
	reg, n := byte(mpuBlock), mpuExtBlock
	if d.plan.model == ICM20948 {
		reg, n = icmBlock, icmExtBlock
	}
	if !magDue {
		n = BlockSize // the magnetometer's data follow the others
	}
	if err := d.read(now, reg, d.r[:n]); err != nil {
		return u, err
	}
	d.chip.Rest(now.Add(d.every * 3 / 4))
	if u.Sample, err = d.convert(now); d.State() != device.Running || !magDue {
		return u, err
	}
	var magErr error
	u.Field, magErr = d.measureField(now)
	return u, errors.Join(err, magErr)
}

// convert converts the block that was read into a sample, unless it repeats the previous one.
func (d *Dev) convert(now time.Time) (bool, error) {
	s, err := d.scale.Decode(d.r[:BlockSize])
	if err != nil {
		d.chip.Reject(err)
		d.nextCheck = now // a sleeping chip was reset
		if d.bad++; d.bad >= badLimit {
			return false, d.chip.Lost(now, fmt.Errorf("imu: %w: %w", device.ErrFrozen, err))
		}
		return false, err
	}
	d.bad = 0
	if block := [BlockSize]byte(d.r[:BlockSize]); d.haveSample && block == d.old {
		if d.same++; d.same >= frozenLimit {
			return false, d.chip.Lost(now, fmt.Errorf("imu: %w: the same %d bytes %d times", device.ErrFrozen, BlockSize, d.same+1))
		}
		return false, nil
	}
	d.old, d.same = [BlockSize]byte(d.r[:BlockSize]), 0
	s.Accel = d.opts.Rotation.Apply(s.Accel)
	s.Gyro = d.opts.Rotation.Apply(s.Gyro)
	d.sample, d.haveSample = s, true
	d.chip.Accept()
	d.cal.Add(&d.sample)
	return true, nil
}

// check reads back registers that a reset would have changed.
func (d *Dev) check(now time.Time) error {
	power := icmPowerConfig()
	reg, want := byte(icmLowPower), power[:]
	if d.plan.model != ICM20948 {
		reg, want = mpuDivider, d.plan.configs[d.plan.model][:]
	}
	got := d.r[:len(want)]
	if err := d.read(now, reg, got); err != nil {
		return err
	}
	for i, v := range want {
		if got[i] != v {
			return d.chip.Lost(now, fmt.Errorf("imu: %w: register %#02x is %#02x, was set to %#02x",
				device.ErrReset, int(reg)+i, got[i], v))
		}
	}
	return nil
}

func (d *Dev) read(now time.Time, reg byte, r []byte) error {
	d.w[0] = reg
	return d.chip.Tx(now, 0, d.w[:], r)
}
