// SPDX-License-Identifier: Apache-2.0

package vmcu

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Sound in this model, counts of the 16-bit recording. The figures are
// plausible, not measured.
const (
	micQuiet   = 40.0   // amplitude in silence
	micMelody  = 6000.0 // amplitude of the robot's own speaker
	micOffset  = 120.0  // largest constant part of a microphone's signal
	micFlutter = 0.1    // relative standard deviation of the amplitude
	// micSensitivity is the amplitude of a tone of 1 Pa: −26 dB of the full scale (ST's data sheet of the MP45DT02).
	micSensitivity = 1642.3
)

// volume returns what the firmware computes for microphone i (0 right, 1 left,
// 2 back, 3 front) from the last complete window of 10 ms.
//
// Only the extremes of microphone 0 start at ±32768; the others start at 0, so
// theirs is max(0, max) − min(0, min): a constant part of the signal adds to it.
func (m *MCU) volume(i int) uint16 {
	m.cfg.Environment.Sound(&m.pressure)
	return volume(m.cfg.Noise, i, m.now, m.sound+float64(micSensitivity*m.pressure[i]), &m.melody)
}

// volume is the same for any age of the world, sound around (counts) and melody.
func volume(microphones noise.Source, i int, now time.Duration, around float64, playing *melody) uint16 {
	window := int64(now/SamplePeriod) - 1
	if window < 0 {
		return 0
	}
	src := microphones.Stream(uint64(i))
	offset := float64(micOffset * (float64(2*src.Stream(1).Float64(0)) - 1))
	amplitude := micQuiet + around
	if t := SamplePeriod * time.Duration(2*window+1) / 2; playing.sounding(t) {
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
func (m *MCU) SetSound(amplitude float64) { m.sound = recordable(amplitude) }

// recordable bounds an amplitude to what a recording can hold; negative and NaN are silence.
func recordable(amplitude float64) float64 {
	if !(amplitude > 0) {
		return 0
	}
	return math.Min(amplitude, math.MaxInt16)
}

// Sound is the speaker and the microphones of a robot by the same formulas as the [MCU]'s, for robots without one. The
// zero value is silent. It is not safe for concurrent use.
type Sound struct {
	melody melody
	around float64
}

// Play starts melody 1 to 3 unless one is playing; other numbers do nothing.
func (s *Sound) Play(now time.Duration, number uint8) { s.melody.play(now, number) }

// Playing returns the number of the melody that plays, or 0.
func (s *Sound) Playing(now time.Duration) uint8 { return s.melody.playing(now) }

// Set sets the amplitude of the sound around the robot, see [MCU.SetSound].
func (s *Sound) Set(amplitude float64) { s.around = recordable(amplitude) }

// Volume returns what microphone i (0 right, 1 left, 2 back, 3 front) measures, whose noise comes from a source, where
// sources in the world make a pressure (Pa, root mean square).
func (s *Sound) Volume(microphones noise.Source, i int, now time.Duration, pressure float64) uint16 {
	return volume(microphones, i, now, s.around+float64(micSensitivity*pressure), &s.melody)
}
