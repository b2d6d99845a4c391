// SPDX-License-Identifier: Apache-2.0

package imu

import (
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
	powerAuto    = 0x01 // awake, the best clock there is
	bypassOn     = 0x02
	mpuNumConfig = 5
)

// startUp is the time until the first sample after the chip was switched on: what the gyroscope needs, and one period.
func startUp(o *Opts) time.Duration {
	return 40*time.Millisecond + time.Duration(1.1*float64(time.Second)/o.Rate)
}

// mpuConfig gives the five registers from 0x19 on that decide over the measurements.
func mpuConfig(o *Opts, m Model) [mpuNumConfig]byte {
	accel, gyro := m.filters()
	return [mpuNumConfig]byte{
		m.divider(o.Rate), gyro.nearest(o.Bandwidth),
		byte(rangeCode(o.GyroRange, 250)) << 3, byte(rangeCode(o.AccelRange, 2)) << 3, accel.nearest(o.Bandwidth),
	}
}

// after lets time pass before a step.
func after(d time.Duration, s device.Step) device.Step {
	s.Wait = d
	return s
}

// awaitReset is a step that waits for the reset bit of a power register to clear; the chip may be deaf meanwhile.
func awaitReset(reg byte) device.Step {
	return device.Step{Wait: 10 * time.Millisecond, Write: []byte{reg}, Read: 1, Tries: 10, Check: func(r []byte) error {
		if r[0]&powerReset != 0 {
			return device.ErrAgain
		}
		return nil
	}}
}

// mpuSetUp brings up accelerometer and gyroscope.
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

// ak8963SetUp connects the magnetometer to the bus and brings it up. adjust gets its sensitivity.
func ak8963SetUp(adjust *[3]float64) []device.Step {
	mag := func(s device.Step) device.Step {
		s.Addr = magAddr
		return s
	}
	const settle = time.Millisecond // between two modes
	identity := mag(device.Expect(akIdentity, akIsAK8963))
	identity.Tries = 2
	fuse := device.ReadTwice(akFuse, 3, func(r []byte) error {
		for i := range adjust {
			adjust[i] = adjustment(r[i])
		}
		return nil
	})
	return []device.Step{
		device.Write(mpuBypass, bypassOn),
		identity,
		mag(device.Write(akReset, 0x01)),
		after(settle, mag(device.Write(akControl, akFuseAccess))),
		after(settle, mag(fuse[0])),
		mag(fuse[1]),
		mag(device.Write(akControl, akPowerDown)),
		after(settle, mag(device.Write(akControl, akContinuous))),
		mag(device.Expect(akControl, akContinuous)),
	}
}

// ak8963Off takes the magnetometer off the bus again.
func ak8963Off() []device.Step { return []device.Step{device.Write(mpuBypass, 0x00)} }
