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
	due    time.Time // of the next measurement, in a fixed pace
	next   time.Time // not before
	stale  int       // readings in a row that failed or brought nothing new
	old    [6]byte   // x, y, z of the reading before
	lostAt time.Time
}

// plan keeps the pace though the polls do not come when a measurement is due: it is taken by the nearest one that is
// not more than a quarter of the period early.
func (m *magnetometer) plan(now time.Time, period time.Duration) {
	if m.due = m.due.Add(period); m.due.Before(now) {
		m.due = now.Add(period)
	}
	m.next = m.due.Add(-period / 4)
}

func (m *magnetometer) forget() { *m = magnetometer{} }

// measureField makes a field of what lies behind the block.
func (d *Dev) measureField(now time.Time) (bool, error) {
	m := &d.mag
	m.next = now.Add(magPeriod)
	if !m.lostAt.IsZero() {
		m.next = m.lostAt.Add(magRetry)
		if !now.Before(m.next) {
			return false, d.chip.Lost(now, fmt.Errorf("%w: looked for again", errMagnetometerLost))
		}
		return false, nil
	}
	field, ok, err := d.readField()
	if ok || errors.Is(err, errOverflow) { // it lives
		m.stale = 0
		m.plan(now, time.Duration(float64(time.Second)/d.opts.MagRate))
	}
	if errors.Is(err, errOverflow) {
		return false, err
	}
	if !ok {
		if m.stale++; m.stale >= magLostLimit {
			m.lostAt, m.have = now, false
			return false, fmt.Errorf("%w: %d readings without a new one, last error: %w", errMagnetometerLost, m.stale, orNothing(err))
		}
		return false, err
	}
	m.field, m.have = Field{d.opts.Rotation.Apply(field)}, true
	return true, nil
}

// readField decodes what the I2C master of the IMU has put behind the block, in the chip's axes. The master may have
// fetched a measurement twice, so it is the bytes that tell whether there is a new one.
func (d *Dev) readField() (field [3]float64, ok bool, err error) {
	b, status2 := d.r[BlockSize:icmExtBlock], ak9Block-1
	if d.plan.model != ICM20948 {
		b, status2 = d.r[BlockSize:mpuExtBlock], akBlock-1
	}
	if b[status2]&magOverflow == 0 && bytes.Equal(b[1:7], d.mag.old[:]) {
		return field, false, nil
	}
	copy(d.mag.old[:], b[1:7])
	if d.plan.model == ICM20948 {
		return decodeAK09916((*[ak9Block]byte)(b))
	}
	return decodeAK8963((*[akBlock]byte)(b), &d.plan.adjust)
}

// errNothingNew stands for the error of a magnetometer that answers and does not measure.
var errNothingNew = errors.New("nothing new")

func orNothing(err error) error {
	if err == nil {
		return errNothingNew
	}
	return err
}
