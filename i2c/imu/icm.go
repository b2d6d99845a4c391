// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Registers of the ICM-20948, DS-000189. Register 0x7F chooses one of four banks.
const (
	icmBank = 0x7F
	bank0   = 0x00
	bank2   = 0x20
	bank3   = 0x30

	icmWhoAmI    = 0x00 // bank 0
	icmUserCtrl  = 0x03
	icmLowPower  = 0x05 // LP_CONFIG, then PWR_MGMT_1, PWR_MGMT_2
	icmPower     = 0x06
	icmBypass    = 0x0F
	icmMstStatus = 0x17
	icmBlock     = 0x2D // the block, then the data read by the I2C master
	mstEnable    = 0x20 // of icmUserCtrl, mpuUserCtrl

	icmGyroDivider  = 0x00 // bank 2; then GYRO_CONFIG_1
	icmAccelDivider = 0x10 // 16 bits
	icmAccelConfig  = 0x14

	icmMstCtrl    = 0x01 // bank 3
	icmSlv0       = 0x03 // address, register, control
	icmSlv4Addr   = 0x13 // address, register, control
	icmSlv4Out    = 0x16
	icmSlv4In     = 0x17
	slvRead       = 0x80 // of an address
	slvEnable     = 0x80 // of a control
	slv4Done      = 0x40 // of icmMstStatus
	slv4NAK       = 0x10
	mstClock345   = 0x07 // 345.6 kHz
	mstStop       = 0x10 // a stop between two reads
	icmExtBlock   = BlockSize + ak9Block
	icmNumPower   = 3
	icmFilterOn   = 0x01 // FCHOICE
	icmFilterBits = 3    // position of the filter's code
)

// icmPowerConfig is the value of the registers from LP_CONFIG on while the chip runs; after a reset they are 40 41 00.
func icmPowerConfig() [icmNumPower]byte { return [icmNumPower]byte{0x00, powerAuto, 0x00} }

// icmSetUp configures accelerometer and gyroscope. Like all lists of steps here it ends with bank 0 selected.
func icmSetUp(o *Opts) []device.Step {
	const m = ICM20948
	af, gf := m.filters()
	div := m.divider(o.Rate)
	gyro := gf.nearest(o.Bandwidth)<<icmFilterBits | byte(rangeCode(o.GyroRange, 250))<<1 | icmFilterOn
	accel := af.nearest(o.Bandwidth)<<icmFilterBits | byte(rangeCode(o.AccelRange, 2))<<1 | icmFilterOn
	power := icmPowerConfig()
	return []device.Step{
		device.Write(icmPower, powerReset),
		awaitReset(icmPower),
		device.Write(icmPower, powerAuto),
		after(time.Millisecond, device.Write(append([]byte{icmLowPower}, power[:]...)...)),
		device.Write(icmUserCtrl, 0x00),
		device.Write(icmBypass, 0x00),
		device.Write(icmBank, bank2),
		device.Write(icmGyroDivider, div, gyro),
		device.Write(icmAccelDivider, 0, div),
		device.Write(icmAccelConfig, accel),
		device.Expect(icmGyroDivider, div, gyro),
		device.Expect(icmAccelDivider, 0, div),
		device.Expect(icmAccelConfig, accel),
		device.Write(icmBank, bank0),
		after(startUp(o), device.Expect(icmLowPower, power[:]...)),
	}
}

// icmSlv4 starts one transaction of the I2C master with the magnetometer; the steps begin and end in bank 3.
func icmSlv4(o *Opts, addr, reg byte) []device.Step {
	return []device.Step{
		device.Write(icmSlv4Addr, addr, reg, slvEnable),
		device.Write(icmBank, bank0),
		awaitSlv4(o, icmMstStatus),
		device.Write(icmBank, bank3),
	}
}

// ak09916SetUp identifies the magnetometer, starts it, and makes the I2C master read every measurement.
func ak09916SetUp(o *Opts) []device.Step {
	steps := []device.Step{
		device.Write(icmBank, bank0), // a second attempt may begin in any bank
		device.Write(icmUserCtrl, mstEnable),
		device.Write(icmBank, bank3),
		device.Write(icmMstCtrl, mstClock345|mstStop),
	}
	steps = append(steps, icmSlv4(o, slvRead|magAddr, ak9Identity)...)
	steps = append(steps, device.Expect(icmSlv4In, ak9IsAK09916), device.Write(icmSlv4Out, 0x01))
	steps = append(steps, icmSlv4(o, magAddr, ak9Reset)...)
	steps = append(steps, after(time.Millisecond, device.Write(icmSlv4Out, ak9Continuous)))
	steps = append(steps, icmSlv4(o, magAddr, ak9Control)...)
	return append(steps,
		device.Write(icmSlv0, slvRead|magAddr, ak9Status, slvEnable|ak9Block),
		device.Write(icmBank, bank0),
	)
}

// ak09916Off switches the I2C master off again.
func ak09916Off() []device.Step {
	return []device.Step{device.Write(icmBank, bank0), device.Write(icmUserCtrl, 0x00)}
}
