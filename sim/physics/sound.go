// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Sound is a source of a tone that radiates the same in all directions.
type Sound struct {
	Position  geom.Vec // m
	Height    float64  // m
	Pressure  float64  // at 1 m, Pa (root mean square): 0.02 Pa are 60 dB
	Frequency float64  // Hz
}

const (
	speedOfSound = 343.0 // m/s, at 20 °C
	// leastSoundDistance bounds the growth of a sound, m.
	leastSoundDistance = BodyRadius
)

// microphones returns the places of the microphones in the robot's frame, in the firmware's order: right, left, back,
// front (GCtronic's drawing of the e-puck2: at the rim of the main board).
func microphones() [4]geom.Vec {
	return [4]geom.Vec{{Y: -BodyRadius}, {Y: BodyRadius}, {X: -BodyRadius}, {X: BodyRadius}}
}

// SetSounds replaces the sources of sound. The scene keeps the slice.
func (s *Scene) SetSounds(sounds []Sound) { s.sounds = sounds }

// Heard writes the pressure (Pa, root mean square) at the microphones of a robot at a pose. A source's pressure falls
// with its distance from the robot's middle, and the body shades the microphones on the far side; the powers of several
// sources add up. Walls neither reflect nor absorb.
func (s *Scene) Heard(pose geom.Pose, at *[4]float64) {
	*at = [4]float64{}
	for _, source := range s.sounds {
		flat := source.Position.Sub(pose.Position())
		rise := source.Height - SensorHeight
		distance := max(leastSoundDistance, math.Sqrt(flat.Dot(flat)+float64(rise*rise)))
		pressure := source.Pressure / distance
		bearing := geom.Angle(flat) - pose.Theta
		for i, m := range microphones() {
			p := float64(pressure * Shade(source.Frequency, bearing-geom.Angle(m)))
			at[i] += float64(p * p)
		}
	}
	for i := range at {
		at[i] = math.Sqrt(at[i])
	}
}

// Shade returns the pressure on the body of a robot relative to that of the free field at its middle, for a tone (Hz)
// and the angle (rad) between the place on the body and the source: the one-pole, one-zero model of a sphere's shadow
// of Brown and Duda (A structural model for binaural sound synthesis, IEEE Transactions on Speech and Audio Processing
// 6, 1998), with the body's radius. It is within 2 dB of a sphere's up to 1 kHz and within 4 dB up to 3 kHz.
func Shade(frequency, angle float64) float64 {
	x := float64(math.Pi*frequency) * (BodyRadius / speedOfSound)
	a := 1.05 + float64(0.95*geom.Direction(1.2*math.Abs(geom.WrapAngle(angle))).X)
	zero, pole := float64(a*x), float64(x*x)
	return math.Sqrt((1 + float64(zero*zero)) / (1 + pole))
}
