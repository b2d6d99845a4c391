// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"encoding/binary"
	"math"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// imuChip is the inertial unit, presented as an MPU-9250 whatever chip is in the robot: registers that keep what is
// written, and measurements calculated back from the firmware's values.
type imuChip struct {
	regs [256]byte
	at   byte
	mag  [32]byte // registers of the magnetometer
}

const (
	imuGyroConfig  = 0x1B
	imuAccelConfig = 0x1C
	imuSlv0        = 0x25 // address, register, control
	imuSlv4        = 0x31 // address, register, value, control
	imuSlv4In      = 0x35
	imuMaster      = 0x36
	imuBlock       = 0x3B
	imuExt         = 0x49
	imuPower       = 0x6B
	imuWhoAmI      = 0x75

	imuIsMPU9250 = 0x71
	imuReset     = 0x80
	slaveOn      = 0x80 // of a control, and of an address: read
	slaveDone    = 0x40
	slaveNAK     = 0x10
	magAddr      = 0x0C
	magCount     = 4912. / 32760 // µT

	level = 16384 // counts of 1 g
)

// transfer writes and reads registers.
func (m *imuChip) transfer(s *state, w, out []byte) {
	if len(w) > 0 {
		m.at = w[0]
	}
	for i, v := range w[min(1, len(w)):] {
		m.write(s, m.at+byte(i), v)
	}
	if (m.at == imuBlock || m.at == imuExt) && len(out) > 0 {
		m.measure(s)
	}
	for i := range out {
		out[i] = m.read(m.at + byte(i))
	}
}

func (m *imuChip) write(s *state, reg, v byte) {
	m.regs[reg] = v
	switch {
	case reg == imuPower && v&imuReset != 0:
		m.regs = [256]byte{imuPower: 1}
	case reg == imuSlv4+3 && v&slaveOn != 0:
		m.askMagnetometer(s)
	}
}

func (m *imuChip) read(reg byte) byte {
	switch reg {
	case imuWhoAmI:
		return imuIsMPU9250
	case imuMaster:
		v := m.regs[reg]
		m.regs[reg] = 0 // reading it clears it
		return v
	}
	return m.regs[reg]
}

// askMagnetometer is a transfer of the chip's own bus.
func (m *imuChip) askMagnetometer(s *state) {
	addr, reg := m.regs[imuSlv4], m.regs[imuSlv4+1]&0x1F
	m.regs[imuMaster] = slaveDone
	if addr&^slaveOn != magAddr || !s.field {
		m.regs[imuMaster] |= slaveNAK
		return
	}
	if addr&slaveOn == 0 {
		m.mag[reg] = m.regs[imuSlv4+2]
		return
	}
	m.magnetometer(s)
	m.regs[imuSlv4In] = m.mag[reg]
}

// measure fills in the block of measurements and the data that the chip's own bus fetches.
func (m *imuChip) measure(s *state) {
	p := &s.latest
	accel, gyro := chipAccel(p.Accel), chipGyro(p.Gyro)
	a, g := m.regs[imuAccelConfig]>>3&3, m.regs[imuGyroConfig]>>3&3 // full scales, doublings
	for i := range 3 {
		binary.BigEndian.PutUint16(m.regs[imuBlock+2*i:], clip(float64(accel[i])/float64(int(1)<<a)))
		binary.BigEndian.PutUint16(m.regs[imuBlock+8+2*i:], clip(float64(gyro[i])/float64(int(1)<<g)))
	}
	binary.BigEndian.PutUint16(m.regs[imuBlock+6:], clip((float64(p.Temperature)-21)*333.87))
	if control := m.regs[imuSlv0+2]; control&slaveOn != 0 {
		m.magnetometer(s)
		for i := range int(control & 0x0F) {
			m.regs[imuExt+i] = m.mag[(int(m.regs[imuSlv0+1])+i)%len(m.mag)]
		}
	}
}

// magnetometer fills in the registers of the AK8963: identity, one measurement, and a sensitivity of 1. The firmware
// has applied it.
func (m *imuChip) magnetometer(s *state) {
	m.mag[0x00], m.mag[0x02], m.mag[0x09] = 0x48, 1, 0x10
	for i, v := range s.latest.Field {
		binary.LittleEndian.PutUint16(m.mag[0x03+2*i:], clip(float64(v)/magCount))
		m.mag[0x10+i] = 128
	}
}

// chipAccel inverts the firmware's conversion (e_acc.c, e_get_acc): counts of the chip at ±2 g. Its offset, found on
// level ground, is lost, as are the lowest bits.
func chipAccel(a [3]int16) [3]int {
	full := func(v int) int { return v * level / packet.OneG }
	return [3]int{-full(int(a[0])), full(int(a[1])), 2*level - full(int(a[2]))}
}

// chipGyro inverts the firmware's conversion (e_lsm330.c, getAllAxesGyro): counts of the chip at ±250 °/s.
func chipGyro(g [3]int16) [3]int { return [3]int{int(g[1]), -int(g[0]), int(g[2])} }

// clip rounds to 16 bits; NaN becomes 0.
func clip(v float64) uint16 {
	if math.IsNaN(v) {
		return 0
	}
	return uint16(int16(math.Round(max(math.MinInt16, min(math.MaxInt16, v)))))
}
