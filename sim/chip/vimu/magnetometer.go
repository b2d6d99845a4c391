// SPDX-License-Identifier: Apache-2.0

package vimu

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// fieldNoise is the noise of the magnetometers, tesla.
const fieldNoise = 0.5e-6

// akmLayout is the addresses of a magnetometer's registers.
type akmLayout struct {
	identity, status, data, status2, control, reset byte
	tesla                                           float64 // per count
}

func ak8963() akmLayout  { return akmLayout{0x00, 0x02, 0x03, 0x09, 0x0A, 0x0B, 4912e-6 / 32760} }
func ak09916() akmLayout { return akmLayout{0x01, 0x10, 0x11, 0x18, 0x31, 0x32, 0.15e-6} }

// Magnetometer is the AK8963 or AK09916 on the auxiliary bus of a [Chip].
type Magnetometer struct {
	imu    *Chip
	at     akmLayout
	ak9    bool // it is an AK09916
	mem    [0x40]byte
	index  byte
	asa    [3]byte
	since  time.Duration // when the mode began
	taken  int64
	locked bool // data are held until ST2 was read
	sample uint64
}

var (
	_ vbus.Chip = (*Chip)(nil)
	_ vbus.Chip = (*Magnetometer)(nil)
)

func newMagnetometer(c *Chip) *Magnetometer {
	m := &Magnetometer{imu: c, at: ak8963(), asa: [3]byte{128, 128, 128}}
	if c.cfg.Model == ICM20948 {
		m.at, m.ak9 = ak09916(), true
	} else if !c.cfg.Perfect {
		m.asa = drawAdjustment(c.cfg.Noise)
	}
	m.reset()
	return m
}

// inMagnetometer turns a vector between the axes of accelerometer and magnetometer, in both directions: the dies are
// mounted differently in their packages.
func (m Model) inMagnetometer(v [3]float64) [3]float64 {
	if m == ICM20948 {
		return [3]float64{v[0], -v[1], -v[2]}
	}
	return [3]float64{v[1], v[0], -v[2]}
}

// drawAdjustment draws the sensitivity adjustment of an AK8963.
func drawAdjustment(s noise.Source) (asa [3]byte) {
	for i := range asa {
		asa[i] = 168 + byte(s.Named("AK8963 factory").Uint64(uint64(i))%24)
	}
	return asa
}

// adjustment returns the factor of a byte of the sensitivity adjustment.
func adjustment(asa byte) float64 { return float64((float64(asa)-128)/256) + 1 }

func (m *Magnetometer) reset() {
	m.mem, m.locked = [0x40]byte{}, false
	m.mem[m.at.identity] = 0x48
	if m.ak9 {
		m.mem[0x00], m.mem[0x01] = 0x48, 0x09
	}
}

// Ready implements vbus.Chip: the chip is on the main bus only through the
// bypass switch.
func (m *Magnetometer) Ready() bool { return m.imu.bypass() && m.reachable() }

// reachable reports whether the auxiliary bus works.
func (m *Magnetometer) reachable() bool { return !m.imu.cfg.AuxBroken && !m.imu.faults.Unplugged }

// Disturbed implements vbus.Chip.
func (m *Magnetometer) Disturbed() {}

// Receive implements vbus.Chip.
func (m *Magnetometer) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	m.index = w[0]
	for _, v := range w[1:] {
		m.store(m.index, v)
		m.index++
	}
	return len(w)
}

// Transmit implements vbus.Chip.
func (m *Magnetometer) Transmit(r []byte) {
	for i := range r {
		r[i] = m.load(m.index)
		m.index++
	}
}

// period is the time between two measurements in the current mode, 0 if there
// are none.
func (m *Magnetometer) period() time.Duration {
	mode := m.mem[m.at.control]
	if !m.ak9 {
		mode &= 0x0F
	}
	switch {
	case m.ak9:
		if hz := [5]int{0, 10, 20, 50, 100}[min(mode/2, 4)]; mode&1 == 0 && hz != 0 {
			return time.Second / time.Duration(hz)
		}
	case mode == 0x02:
		return time.Second / 8
	case mode == 0x06:
		return time.Second / 100
	}
	return 0
}

func (m *Magnetometer) store(reg, v byte) {
	switch reg {
	case m.at.reset:
		if v&1 != 0 {
			m.reset()
		}
	case m.at.control:
		if old := m.mem[reg] & 0x0F; old != 0 && v&0x0F != 0 && old != v&0x0F {
			return // modes change by way of power-down
		}
		m.mem[reg] = v
		m.since, m.taken = m.imu.cfg.Now(), 0
	}
}

func (m *Magnetometer) load(reg byte) byte {
	m.update()
	switch {
	case int(reg) >= len(m.mem):
		return 0
	case !m.ak9 && reg >= 0x10 && reg <= 0x12:
		if m.mem[m.at.control]&0x0F == 0x0F {
			return m.asa[reg-0x10]
		}
		return 0
	case reg >= m.at.data && reg < m.at.data+6:
		m.locked = true
	case reg == m.at.status2:
		m.locked = false
		m.mem[m.at.status] = 0
	}
	return m.mem[reg]
}

// update takes the newest measurement, unless the last one is held.
func (m *Magnetometer) update() {
	period := m.period()
	if period == 0 || m.locked || m.imu.faults.FieldFrozen {
		return
	}
	n := int64((m.imu.cfg.Now() - m.since) / period)
	if n <= m.taken {
		return
	}
	m.taken = n
	m.sample++
	f := m.imu.cfg.Mount.apply(m.imu.cfg.Body.Motion().Field)
	axes := m.imu.cfg.Model.inMagnetometer(f)
	sum := 0.0
	for i, v := range axes {
		sum += math.Abs(v)
		if !m.imu.cfg.Perfect {
			v += float64(fieldNoise * m.imu.cfg.Noise.Named("magnetometer").Stream(uint64(i)).Normal(m.sample))
		}
		v /= adjustment(m.asa[i])
		binary.LittleEndian.PutUint16(m.mem[m.at.data+byte(2*i):], uint16(counts(v/m.at.tesla, 32768)))
	}
	m.mem[m.at.status] = 1
	m.mem[m.at.status2] = m.mem[m.at.control] & 0x10 // 16 bits (AK8963)
	if sum > 4912e-6 {
		m.mem[m.at.status2] |= 0x08
	}
}
