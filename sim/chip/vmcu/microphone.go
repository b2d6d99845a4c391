// SPDX-License-Identifier: Apache-2.0

package vmcu

import (
	"math"
	"time"
)

// Sound in this model, counts of the 16-bit recording. The figures are
// plausible, not measured.
const (
	micQuiet   = 40.0   // amplitude of a quiet room
	micMelody  = 6000.0 // amplitude of the robot's own speaker
	micOffset  = 120.0  // largest constant part of a microphone's signal
	micFlutter = 0.1    // relative standard deviation of the amplitude
)

// volume returns what the firmware computes for microphone i (0 right, 1 left,
// 2 back, 3 front) from the last complete window of 10 ms.
//
// Only the extremes of microphone 0 start at ±32768; the others start at 0, so
// theirs is max(0, max) − min(0, min): a constant part of the signal adds to it.
func (m *MCU) volume(i int) uint16 {
	window := int64(m.now/SamplePeriod) - 1
	if window < 0 {
		return 0
	}
	src := m.cfg.Noise.Stream(uint64(i))
	offset := float64(micOffset * (float64(2*src.Stream(1).Float64(0)) - 1))
	amplitude := micQuiet + m.sound
	if t := SamplePeriod * time.Duration(2*window+1) / 2; m.melody.sounding(t) {
		amplitude += micMelody
	}
	flutter := math.Max(0, 1+float64(micFlutter*src.Normal(uint64(window))))
	amplitude = float64(amplitude * flutter)
	high, low := pcm(offset+amplitude), pcm(offset-amplitude)
	if i > 0 {
		high, low = max(0, high), min(0, low)
	}
	return uint16(high - low)
}

// pcm rounds a signal to the range of the recording.
func pcm(v float64) int32 {
	return int32(math.Max(math.MinInt16, math.Min(math.MaxInt16, math.Round(v))))
}

// SetSound sets the amplitude of the sound around the robot, counts of the
// 16-bit recording; negative and NaN mean silence.
func (m *MCU) SetSound(amplitude float64) {
	if !(amplitude > 0) {
		amplitude = 0
	}
	m.sound = math.Min(amplitude, math.MaxInt16)
}
