// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Dev is the IMU on a bus it does not own. It is not safe for concurrent use: the goroutine that owns the bus calls all
// its methods.
type Dev struct {
	device.Resource
	chip  *device.Chip
	plan  *bringUp
	opts  Opts
	scale scale
	every time.Duration // sample period of the chip

	sample     Reading
	haveSample bool
	nextCheck  time.Time
	old        [BlockSize]byte // previous block
	same       int             // how often in a row it was repeated
	bad        int             // implausible blocks in a row
	mag        magnetometer
	cal        Calibrator

	w [1]byte
	r [icmExtBlock]byte
}

var _ conn.Resource = (*Dev)(nil)

// New returns a device without a transaction. Address 0 searches at [Addr] and [AddrAlt]. Errors match
// device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("imu: New: %w", err)
	}
	addresses := []uint16{addr}
	if addr == 0 {
		addresses = []uint16{Addr, AddrAlt}
	}
	d := &Dev{opts: o, every: time.Duration(float64(time.Second) / o.Rate)}
	d.plan = newBringUp(&d.opts, addresses)
	if d.chip, err = device.NewChip(ModelUnknown.String(), bus, addresses[0], d.plan, o.Opts); err != nil {
		return nil, fmt.Errorf("imu: New: %w", err)
	}
	d.plan.chip, d.Resource = d.chip, d.chip.Shown()
	d.cal = NewCalibrator()
	return d, nil
}

// Sense returns the last sample, calibrated if there is a calibration. The error matches device.ErrNoReading if there
// has been no sample since the chip was brought up, or device.ErrHalted.
func (d *Dev) Sense(s *Reading) error {
	if err := d.chip.Readable(d.haveSample); err != nil {
		return err
	}
	*s = d.sample
	d.cal.Apply(s)
	return nil
}

// SenseField returns the last measurement of the magnetometer. The error matches those of [Dev.Sense]; without a
// magnetometer it names the chip.
func (d *Dev) SenseField(f *Field) error {
	if d.State() == device.Running && !d.HasMagnetometer() {
		return fmt.Errorf("%w at the %v", errNoMagnetometer, d.plan.model)
	}
	if err := d.chip.Readable(d.mag.have); err != nil {
		return err
	}
	*f = d.mag.field
	return nil
}

// HasMagnetometer reports whether a magnetometer answers.
func (d *Dev) HasMagnetometer() bool { return d.State() == device.Running && d.plan.hasMag }

// Noise returns the variances of a sample of the robot at rest, per axis, (m/s²)² and (rad/s)²: those measured by the
// last calibration, or those of the data sheet.
func (d *Dev) Noise() (accel, gyro [3]float64) {
	return d.cal.Noise(d.plan.model, d.opts.Bandwidth)
}

// Halt puts the chip to sleep; the next Poll brings it up again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.forget()
	const sleep = 0x40
	writes := [][]byte{{mpuUserCtrl, 0x00}, {mpuPower, sleep}}
	if d.plan.model == ICM20948 {
		writes = [][]byte{{icmBank, bank0}, {icmUserCtrl, 0x00}, {icmPower, sleep | powerAuto}}
	}
	if err := d.chip.Halt(writes...); err != nil {
		return fmt.Errorf("imu: Halt: %w", err)
	}
	return nil
}

// forget discards what was measured before the chip was lost, and aborts a calibration in progress.
func (d *Dev) forget() {
	d.haveSample, d.same, d.bad = false, 0, 0
	d.mag.forget()
	d.cal.Abort()
}
