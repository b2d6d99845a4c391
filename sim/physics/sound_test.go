// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// onSphere is the exact pressure on a rigid sphere relative to that of the plane wave that comes to it, for ka = x and
// the angle between the place and the source (Rayleigh's series, as in Duda and Martens, Range dependence of the
// response of a spherical head model, JASA 104, 1998, for a far source).
func onSphere(x, angle float64) float64 {
	h := []complex128{ // spherical Hankel functions, of orders −1 and 0
		complex(math.Cos(x)/x, -math.Sin(x)/x), complex(math.Sin(x)/x, math.Cos(x)/x),
	}
	sum, turn := complex(0, 0), complex(1, 0)
	p, before := 1.0, 0.0 // Legendre polynomials
	for m := 0.0; m < 30; m++ {
		at, last := h[len(h)-1], h[len(h)-2]
		derivative := last - complex((m+1)/x, 0)*at
		sum += turn * complex((2*m+1)*p, 0) / derivative
		turn *= complex(0, 1)
		h = append(h, complex((2*m+1)/x, 0)*at-last)
		p, before = ((2*m+1)*math.Cos(angle)*p-m*before)/(m+1), p
	}
	return cmplx.Abs(sum) / (x * x)
}

// TestShadeIsThatOfASphere: the model's parameters were fitted to a head of 87.5 mm; on a body of 35 mm it is within
// 2 dB of the exact solution up to 1 kHz, and within 4 dB up to 3 kHz.
func TestShadeIsThatOfASphere(t *testing.T) {
	for _, hertz := range []float64{250, 500, 1000, 2000, 3000} {
		x := 2 * math.Pi * hertz * physics.BodyRadius / 343
		for degrees := 0.0; degrees <= 180; degrees += 15 {
			angle := degrees * math.Pi / 180
			off := 20 * math.Log10(physics.Shade(hertz, angle)/onSphere(x, angle))
			if bound := 2.0; math.Abs(off) > bound && hertz <= 1000 || math.Abs(off) > 2*bound {
				t.Errorf("%v Hz, %v°: %+.2f dB from a sphere's", hertz, degrees, off)
			}
		}
	}
}

// heard is what the microphones get of one source at a bearing (rad) and a distance (m), at their height.
func heard(bearing, distance, hertz float64) (at [4]float64) {
	s := physics.NewScene(nil, nil, 1)
	s.SetSounds([]physics.Sound{{
		Position: geom.Direction(bearing).Scale(distance), Height: physics.SensorHeight, Pressure: 0.1, Frequency: hertz,
	}})
	s.Heard(geom.Pose{}, &at)
	return at
}

// TestSoundFallsWithDistance: by half for twice the distance, as in the free field.
func TestSoundFallsWithDistance(t *testing.T) {
	near1, near2 := heard(0.3, 1, 1000), heard(0.3, 2, 1000)
	for i := range near1 {
		near(t, "pressure at twice the distance", near2[i], near1[i]/2, 1e-12)
	}
}

// TestNearestMicrophoneHearsMost: the one that faces the source; the order is right, left, back, front.
func TestNearestMicrophoneHearsMost(t *testing.T) {
	for i, bearing := range []float64{-math.Pi / 2, math.Pi / 2, math.Pi, 0} {
		at := heard(bearing, 0.5, 2000)
		for k := range at {
			if k != i && at[k] >= at[i] {
				t.Errorf("a source at %.1f rad: microphone %d gets %v, %d gets %v", bearing, i, at[i], k, at[k])
			}
		}
	}
}

// TestNoSoundsNoPressure: a scene without sources is silent.
func TestNoSoundsNoPressure(t *testing.T) {
	at := [4]float64{1, 1, 1, 1}
	physics.NewScene(nil, nil, 1).Heard(geom.Pose{}, &at)
	if at != [4]float64{} {
		t.Errorf("%v", at)
	}
}
