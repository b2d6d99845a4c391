// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Registers of the MPU-9250 family, RM-MPU-9250A-00.
const (
	mpuDivider   = 0x19 // then CONFIG, GYRO_CONFIG, ACCEL_CONFIG, ACCEL_CONFIG2
	mpuBypass    = 0x37 // INT_PIN_CFG
	mpuBlock     = 0x3B
	mpuUserCtrl  = 0x6A
	mpuPower     = 0x6B // PWR_MGMT_1, then PWR_MGMT_2
	mpuWhoAmI    = 0x75
	powerReset   = 0x80
	powerAuto    = 0x01 // awake, automatic clock selection
	mpuNumConfig = 5

	mpuMstCtrl   = 0x24
	mpuSlv0      = 0x25 // address, register, control
	mpuSlv4Addr  = 0x31 // address, register, value, control
	mpuSlv4In    = 0x35
	mpuMstStatus = 0x36
	mpuExt       = 0x49 // data read by the I2C master, right after the block
	mpuExtBlock  = BlockSize + akBlock
	mpuClock400  = 0x0D // 400 kHz
)

// startUp is the time from switching the chip on to its first sample: the start-up of the gyroscope and one period.
func startUp(o *Opts) time.Duration {
	return 40*time.Millisecond + time.Duration(1.1*float64(time.Second)/o.Rate)
}

// mpuConfig returns the five registers from 0x19 on, which configure the measurements.
func mpuConfig(o *Opts, m Model) [mpuNumConfig]byte {
	accel, gyro := m.filters()
	return [mpuNumConfig]byte{
		m.divider(o.Rate), gyro.nearest(o.Bandwidth),
		byte(rangeCode(o.GyroRange, 250)) << 3, byte(rangeCode(o.AccelRange, 2)) << 3, accel.nearest(o.Bandwidth),
	}
}

// after returns the step with a wait before it.
func after(d time.Duration, s device.Step) device.Step {
	s.Wait = d
	return s
}

// awaitReset is a step that waits for the reset bit of a power register to clear; the chip may not answer meanwhile.
func awaitReset(reg byte) device.Step {
	return device.Step{Wait: 10 * time.Millisecond, Write: []byte{reg}, Read: 1, Tries: 10, Check: func(r []byte) error {
		if r[0]&powerReset != 0 {
			return device.ErrAgain
		}
		return nil
	}}
}

// mpuSetUp configures accelerometer and gyroscope.
func mpuSetUp(o *Opts, config [mpuNumConfig]byte) []device.Step {
	return []device.Step{
		device.Write(mpuPower, powerReset),
		awaitReset(mpuPower),
		device.Write(mpuPower, powerAuto, 0x00),
		device.Write(mpuUserCtrl, 0x00),
		device.Write(mpuBypass, 0x00),
		device.Write(append([]byte{mpuDivider}, config[:]...)...),
		after(startUp(o), device.Expect(mpuPower, powerAuto, 0x00)),
		device.Expect(mpuDivider, config[:]...),
	}
}

// ak8963SetUp starts the magnetometer through the IMU's I2C master, which then reads every measurement. adjust receives
// its sensitivity. The bypass switch would be simpler, but it connects the auxiliary lines, which on some boards were
// cut or are used otherwise, to the bus on which the robot's motors are controlled, and that could not be undone.
func ak8963SetUp(o *Opts, adjust *[3]float64) []device.Step {
	const settle = time.Millisecond // between two modes
	set := func(reg, value byte) []device.Step { return mpuSlv4(o, magAddr, reg, value) }
	fuse := device.ReadTwice(mpuExt, 3, func(r []byte) error {
		for i := range adjust {
			adjust[i] = adjustment(r[i])
		}
		return nil
	})
	fuse[0].Wait = masterTimeout(o)
	return slices.Concat(
		[]device.Step{device.Write(mpuUserCtrl, mstEnable), device.Write(mpuMstCtrl, mpuClock400|mstStop)},
		mpuSlv4(o, slvRead|magAddr, akIdentity, 0),
		[]device.Step{device.Expect(mpuSlv4In, akIsAK8963)},
		set(akReset, 0x01),
		[]device.Step{after(settle, device.Write(mpuSlv4Addr, magAddr))}, // only for the wait
		set(akControl, akFuseAccess),
		[]device.Step{device.Write(mpuSlv0, slvRead|magAddr, akFuse, slvEnable|3)},
		fuse,
		set(akControl, akPowerDown),
		[]device.Step{after(settle, device.Write(mpuSlv4Addr, magAddr))},
		set(akControl, akContinuous),
		[]device.Step{
			device.Write(mpuSlv0, slvRead|magAddr, akStatus, slvEnable|akBlock),
			after(masterTimeout(o), device.Expect(mpuUserCtrl, mstEnable)), // until then they hold the sensitivity
		},
	)
}

// masterTimeout is the maximum time of an action that the I2C master performs once per sample.
func masterTimeout(o *Opts) time.Duration {
	return 20*time.Millisecond + time.Duration(3*float64(time.Second)/o.Rate)
}

// mpuSlv4 starts one transaction of the I2C master with the magnetometer.
func mpuSlv4(o *Opts, addr, reg, value byte) []device.Step {
	return []device.Step{device.Write(mpuSlv4Addr, addr, reg, value, slvEnable), awaitSlv4(o, mpuMstStatus)}
}

// awaitSlv4 is a step that waits for the end of a transaction of the I2C master.
func awaitSlv4(o *Opts, status byte) device.Step {
	return device.Step{Write: []byte{status}, Read: 1, Timeout: masterTimeout(o), Check: func(r []byte) error {
		switch {
		case r[0]&slv4NAK != 0:
			return fmt.Errorf("%w: not acknowledged on the auxiliary bus, status %#02x", errNoMagnetometer, r[0])
		case r[0]&slv4Done == 0:
			return device.ErrAgain
		}
		return nil
	}}
}

// ak8963Off switches the I2C master off again.
func ak8963Off() []device.Step { return []device.Step{device.Write(mpuUserCtrl, 0x00)} }
