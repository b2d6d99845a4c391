// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

const (
	// magLostLimit is how many failures or repeated readings in a row mean that the magnetometer is lost.
	magLostLimit = 40
	// magPeriod is the sample period of the magnetometers themselves: after a repeated reading the next attempt follows
	// that much later.
	magPeriod = 10 * time.Millisecond
	// magRetry is the time after which a lost magnetometer is searched again, by restarting the IMU.
	magRetry = 30 * time.Second
)

// magnetometer is the state of a device's magnetometer after the bring-up.
type magnetometer struct {
	field  Field
	have   bool
	due    time.Time // of the next measurement, at a fixed rate
	next   time.Time // earliest next attempt
	stale  int       // readings in a row that failed or repeated the previous one
	old    [6]byte   // x, y, z of the previous reading
	lostAt time.Time
}

// plan keeps the rate even if the polls are not aligned with it: a measurement is made by the nearest poll that is not
// more than a quarter of the period early.
func (m *magnetometer) plan(now time.Time, period time.Duration) {
	if m.due = m.due.Add(period); m.due.Before(now) {
		m.due = now.Add(period)
	}
	m.next = m.due.Add(-period / 4)
}

func (m *magnetometer) forget() { *m = magnetometer{} }

// measureField decodes the field from the bytes after the block.
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
	if ok || errors.Is(err, errOverflow) { // it answers
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

// readField decodes the bytes that the IMU's I2C master has appended to the block, in the chip's axes. The master may
// have read a measurement twice, so only different bytes count as a new one.
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

// errNothingNew is the error of a magnetometer that answers but does not measure.
var errNothingNew = errors.New("no new measurement")

func orNothing(err error) error {
	if err == nil {
		return errNothingNew
	}
	return err
}
