// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

const (
	// magLostLimit is how many failures in a row, or readings without anything new, mean that the magnetometer is lost.
	magLostLimit = 40
	// magPeriod is the time between two measurements of the magnetometers themselves: one that had nothing new is asked
	// again after that.
	magPeriod = 10 * time.Millisecond
	// magRetry is the time after which a magnetometer that was lost is looked for again, by bringing the IMU up anew.
	magRetry = 30 * time.Second
)

// magnetometer is what the device knows of its magnetometer beside the bring-up.
type magnetometer struct {
	field  Field
	have   bool
	next   time.Time
	stale  int // readings in a row that failed or brought nothing new
	old    [ak9Block]byte
	lostAt time.Time
}

func (m *magnetometer) forget() { *m = magnetometer{} }

// measureField makes a field of what lies behind the block (ICM) or asks the magnetometer (MPU).
func (d *Dev) measureField(now time.Time) (bool, error) {
	m := &d.mag
	m.next = now.Add(magPeriod)
	if !m.lostAt.IsZero() {
		m.next = m.lostAt.Add(magRetry)
		if !now.Before(m.next) {
			return false, d.chip.Lost(now, fmt.Errorf("%w: looked for again", ErrMagnetometerLost))
		}
		return false, nil
	}
	field, ok, err := d.readField()
	if ok || errors.Is(err, ErrOverflow) { // it lives
		m.stale, m.next = 0, now.Add(time.Duration(float64(time.Second)/d.opts.MagRate*0.9))
	}
	if errors.Is(err, ErrOverflow) {
		return false, err
	}
	if !ok {
		if m.stale++; m.stale >= magLostLimit {
			m.lostAt, m.have = now, false
			return false, fmt.Errorf("%w: %d readings without a new one, last error: %w", ErrMagnetometerLost, m.stale, orNothing(err))
		}
		return false, err
	}
	m.field, m.have = Field{d.opts.Rotation.Apply(field)}, true
	return true, nil
}

// readField reads the magnetometer, in the chip's axes.
func (d *Dev) readField() (field [3]float64, ok bool, err error) {
	if d.plan.model == ICM20948 {
		b := (*[ak9Block]byte)(d.r[BlockSize:icmExtBlock])
		if b[8]&magOverflow == 0 && bytes.Equal(b[1:7], d.mag.old[1:7]) {
			return field, false, nil
		}
		d.mag.old = *b
		return decodeAK09916(b)
	}
	if d.chip.Left() <= 0 {
		return field, false, nil
	}
	b := (*[akBlock]byte)(d.r[:akBlock])
	d.w[0] = akStatus
	if err := d.chip.TxOptional(magAddr, d.w[:], b[:]); err != nil {
		return field, false, err
	}
	return decodeAK8963(b, &d.plan.adjust)
}

// errNothingNew stands for the error of a magnetometer that answers and does not measure.
var errNothingNew = errors.New("nothing new")

func orNothing(err error) error {
	if err == nil {
		return errNothingNew
	}
	return err
}
