// SPDX-License-Identifier: Apache-2.0

package imu

import "math"

// filterTable returns the −3 dB bandwidths of a low-pass filter by the value of its register field, Hz; 0 is not used.
type filterTable [8]float64

// The filters, from the register maps. Setting 0 of the MPU's gyroscope is omitted: with it the rate divider has no
// effect. Settings 7 have another base rate, too.
func (m Model) filters() (accel, gyro filterTable) {
	if m == ICM20948 {
		return filterTable{0, 246, 111.4, 50.4, 23.9, 11.5, 5.7, 0}, filterTable{196.6, 151.8, 119.5, 51.2, 23.9, 11.6, 5.7, 0}
	}
	return filterTable{0, 218.1, 99, 44.8, 21.2, 10.2, 5.05, 0}, filterTable{0, 184, 92, 41, 20, 10, 5, 0}
}

// nearest returns the register value of the filter nearest to a bandwidth by ratio.
func (t filterTable) nearest(hz float64) (code byte) {
	best := math.Inf(1)
	for i, bw := range t {
		if bw == 0 {
			continue
		}
		if d := math.Abs(math.Log(bw / hz)); d < best {
			best, code = d, byte(i)
		}
	}
	return code
}

// baseRate is the frequency that the rate divider divides, Hz.
func (m Model) baseRate() float64 {
	if m == ICM20948 {
		return 1125
	}
	return 1000
}

// divider returns the register value for a rate: the base rate divided by it plus one.
func (m Model) divider(hz float64) byte {
	return byte(min(max(math.Round(m.baseRate()/hz)-1, 0), 255))
}

// noise returns the expected variances of a sample at rest, per axis, in (m/s²)² and (rad/s)². The noise bandwidth of a
// filter is about 1.57 times its −3 dB bandwidth.
func (m Model) noise(bandwidth float64) (accel, gyro float64) {
	af, gf := m.filters()
	a, g := m.noiseDensity()
	return a * a * 1.57 * af[af.nearest(bandwidth)], g * g * 1.57 * gf[gf.nearest(bandwidth)]
}
