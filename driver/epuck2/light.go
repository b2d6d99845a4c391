// SPDX-License-Identifier: Apache-2.0

package epuck2

const (
	darkCounts    = 4095 // the converter's reading in darkness; light lowers it
	luxPerUnit    = 120  // lux per W/m² in the Webots model
	lightNoise    = 0.01 // standard deviation of the reading, as a share of it, in the Webots model
	quantisation  = 1.0 / 12
	luxPerReading = luxPerUnit / float64(darkCounts)
)

// Lux returns the illuminance for an ambient light reading (0 … 4095 counts, bright is low) and its variance in lux²:
// 120 lx in darkness to 240 lx at full scale.
//
// It is the model of the Webots robot (irradiance 1 W/m² at 4095 counts, 2 W/m² at 0; 120 lx per W/m²), so programs get
// the same values on both. There is no photometric calibration of the sensor. The old driver published the converter's
// number, which falls when it gets brighter.
func Lux(counts uint16) (lux, variance float64) {
	c := float64(min(counts, darkCounts))
	sigma := lightNoise * c
	return luxPerUnit + float64((darkCounts-c)*luxPerReading), (float64(sigma*sigma) + quantisation) * luxPerReading * luxPerReading
}
