// SPDX-License-Identifier: Apache-2.0

package vimu

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// gyroStart is the time the gyroscope needs after waking up.
const gyroStart = 35 * time.Millisecond

const (
	gravity = 9.80665
	degree  = math.Pi / 180
)

// Noise densities at rest, m/s²/√Hz and rad/s/√Hz (PS-MPU-9250A-01 3.1 and 3.2, DS-000189 3.1 and 3.2).
const (
	mpuAccelNoise = robot.AccelNoiseDensity
	mpuGyroNoise  = robot.GyroNoiseDensity
	icmAccelNoise = 230e-6 * gravity
	icmGyroNoise  = 0.015 * degree
)

// bands are the bandwidths of a low-pass filter by the value of its register field, Hz.
type bands [8]float64

func mpuAccelBands() bands { return bands{218.1, 218.1, 99, 44.8, 21.2, 10.2, 5.05, 420} }
func mpuGyroBands() bands  { return bands{250, 184, 92, 41, 20, 10, 5, 3600} }
func icmAccelBands() bands { return bands{246, 246, 111.4, 50.4, 23.9, 11.5, 5.7, 473} }
func icmGyroBands() bands  { return bands{196.6, 151.8, 119.5, 51.2, 23.9, 11.6, 5.7, 361.4} }

// nearest returns the bandwidth of fields 1 to 6 nearest to hz by ratio: those with the base rate of the divider.
func (b bands) nearest(hz float64) float64 {
	best := b[1]
	for _, v := range b[2:7] {
		if math.Abs(math.Log(v/hz)) < math.Abs(math.Log(best/hz)) {
			best = v
		}
	}
	return best
}

// fullCounts is the reading at full scale.
const fullCounts = robot.InertialCounts

// setting is what the configuration registers say.
type setting struct {
	accelRange, gyroRange float64 // full scales, m/s² and rad/s
	accelBand, gyroBand   float64 // bandwidths, Hz
	accelNoise, gyroNoise float64 // densities per √Hz, m/s² and rad/s
	period                time.Duration
}

// setting reads the present registers.
func (c *Chip) setting() setting {
	if c.cfg.Model == ICM20948 {
		return c.icmSetting()
	}
	b := &c.banks[0]
	s := setting{
		accelRange: 2 * gravity * float64(int(1)<<(b[mpuAccel]>>3&3)), gyroRange: 250 * degree * float64(int(1)<<(b[mpuGyro]>>3&3)),
		accelNoise: mpuAccelNoise, gyroNoise: mpuGyroNoise,
		accelBand: mpuAccelBands()[b[mpuAccel2]&7],
		gyroBand:  mpuGyroBands()[b[mpuConfig]&7],
		period:    time.Second / 8000,
	}
	if f := b[mpuConfig] & 7; f >= 1 && f <= 6 {
		s.period = time.Millisecond * time.Duration(int(b[mpuDivider])+1)
	}
	return s
}

func (c *Chip) icmSetting() setting {
	div, gyro, accel := c.banks[2][0x00], c.banks[2][0x01], c.banks[2][0x14]
	s := setting{
		accelRange: 2 * gravity * float64(int(1)<<(accel>>1&3)), gyroRange: 250 * degree * float64(int(1)<<(gyro>>1&3)),
		accelNoise: icmAccelNoise, gyroNoise: icmGyroNoise,
		accelBand: 1209, gyroBand: 12106, period: time.Second / 9000,
	}
	if accel&1 != 0 {
		s.accelBand = icmAccelBands()[accel>>3&7]
	}
	if gyro&1 != 0 {
		s.gyroBand = icmGyroBands()[gyro>>3&7]
		s.period = time.Duration(int(div)+1) * time.Second / 1125
	}
	return s
}

// timingRegister reports whether a register changes when samples are taken.
func (c *Chip) timingRegister(bank int, reg byte) bool {
	if c.cfg.Model == ICM20948 {
		return bank == 2 && reg <= 0x01
	}
	return reg == mpuDivider || reg == mpuConfig
}

func (c *Chip) restartSampling() { c.epoch, c.taken = c.cfg.Now(), 0 }

// update lets everything happen that has happened by now. Of the samples that
// would have been taken since the last look only the newest is made, from what
// the robot feels now.
func (c *Chip) update() {
	now := c.cfg.Now()
	if c.resetUntil != 0 {
		if now < c.resetUntil {
			return
		}
		c.resetUntil = 0
		c.resetRegisters()
		c.awakeSince = now
	}
	c.runMaster(now)
	if c.asleep() || c.faults.Frozen {
		return
	}
	s := c.setting()
	if n := int64((now - c.epoch) / s.period); n > c.taken {
		c.taken = n
		c.sample++
		c.measure(&s, now)
		c.fetchField()
	}
}

// measure makes a sample and puts it into the data registers.
func (c *Chip) measure(s *setting, now time.Duration) {
	icm := c.cfg.Model == ICM20948
	data, status := c.banks[0][mpuData:mpuData+14], byte(mpuStatus)
	if icm {
		data, status = c.banks[0][icmData:icmData+14], icmStatus
	}
	if now-c.awakeSince < gyroStart {
		clear(data)
		return
	}
	m := c.cfg.Body.Motion()
	accel, gyro := c.cfg.Mount.apply(m.Accel), c.cfg.Mount.apply(m.Gyro)
	var words [7]int16
	at := [7]int{0, 1, 2, 4, 5, 6, 3} // accel, gyro, temperature: places in the MPU
	if icm {
		at = [7]int{0, 1, 2, 3, 4, 5, 6}
	}
	a, g := c.analog.convert(s, accel, gyro, c.sample)
	for i := range 3 {
		words[at[i]], words[at[i+3]] = a[i], g[i]
	}
	words[at[6]] = counts(float64((m.Temperature-21)*333.87/32768)+c.analog.draw(6, 1e-6, 100, c.sample), 1)
	for i, v := range words {
		binary.BigEndian.PutUint16(data[2*i:], uint16(v))
	}
	c.banks[0][status] |= 1
}

// counts converts a value to 16 bits of a full scale.
func counts(v, full float64) int16 {
	return int16(min(max(math.Round(v/full*fullCounts), math.MinInt16), math.MaxInt16))
}
