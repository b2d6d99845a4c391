// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Surfaces of Vishay's table 1 (Application of Optical Reflex Sensors: reflection at 950 nm, white drawing card being
// 1) with the colours that they are sold as. The model was fitted to the first two alone.
func TestReflectanceIsThatOfVishaysTable(t *testing.T) {
	for name, c := range map[string]struct {
		r, g, b   uint8
		low, high float64
	}{
		"white drawing card (fitted)":  {255, 255, 255, 0.99, 1.01},
		"black drawing ink (fitted)":   {0, 0, 0, 0.04, 0.06},
		"grey side of a neutral card":  {118, 118, 118, 0.2 - 0.03, 0.2 + 0.03}, // 18 % of the visible light
		"white PVC":                    {245, 245, 243, 0.9 - 0.05, 0.9 + 0.05},
		"red PVC":                      {200, 40, 40, 0.4, 0.8},
		"green PVC":                    {60, 180, 70, 0.4, 0.8},
		"blue PVC":                     {40, 80, 200, 0.4, 0.8},
		"yellow PVC":                   {226, 190, 44, 0.4, 0.8},
		"light grey card":              {214, 214, 214, 0.67 - 0.07, 0.67 + 0.07},
		"photocopied black, 7 percent": {40, 40, 40, 0.04, 0.1},
	} {
		if got := physics.Reflectance(c.r, c.g, c.b); got < c.low || got > c.high {
			t.Errorf("%s: %.3f, want %.2f to %.2f", name, got, c.low, c.high)
		}
	}
}

// leftOf returns what the left sensor measures of one shape, without its offset.
func leftOf(shape geom.Shape) float64 {
	_, delta := measure(physics.NewScene([]geom.Shape{shape}, nil, 1), geom.Pose{})
	return delta[5]
}

// wallAt is a wall d (m) before the left sensor, turned by an angle around the place where the sensor's axis meets it.
func wallAt(d, turned float64) geom.Shape {
	normal := geom.Direction(-math.Pi/2 + turned)
	at := geom.Vec{Y: 0.031 + d}.Sub(normal.Scale(0.05))
	return geom.NewBox(at, geom.Vec{X: 0.1, Y: 0.6}, -math.Pi/2+turned, 0.1)
}

// TestDarkWallSendsLessBack: the answer is that of a white wall times the reflectance.
func TestDarkWallSendsLessBack(t *testing.T) {
	white := leftOf(wallAt(0.02, 0))
	for _, share := range []float64{0.05, 0.3, 0.9} {
		near(t, "left sensor", leftOf(wallAt(0.02, 0).Reflecting(share)), share*white, 1)
	}
}

// TestSlantedWallSendsLessBack: by the cosine of the angle of incidence, Lambert's law.
func TestSlantedWallSendsLessBack(t *testing.T) {
	square := leftOf(wallAt(0.03, 0))
	for _, degrees := range []float64{-60, -30, 15, 45, 60} {
		got := leftOf(wallAt(0.03, degrees*math.Pi/180))
		near(t, "left sensor", got, square*math.Cos(degrees*math.Pi/180), 0.03*square)
	}
}

// TestThinPostIsSeenAnywhereInTheCone: a needle of 0.4 mm, far less than the gaps between the rays, answers by its
// width at any place in the cone of 0.1 rad, and nowhere else.
func TestThinPostIsSeenAnywhereInTheCone(t *testing.T) {
	const radius, distance = 0.0002, 0.04
	wall, _ := physics.Response(distance - radius)
	covered := 2 * radius / (0.1 * distance)
	for bearing := -0.08; bearing <= 0.08; bearing += 0.001 {
		at := geom.Vec{Y: 0.031}.Add(geom.Direction(math.Pi/2 + bearing).Scale(distance))
		got, want := leftOf(geom.NewDisc(at, radius, 0.1)), 0.0
		if math.Abs(bearing) < 0.044 {
			want = wall * covered * math.Pi / 4
		}
		if edge := math.Abs(bearing) >= 0.044 && math.Abs(bearing) <= 0.056; !edge && math.Abs(got-want) > 0.6 {
			t.Errorf("a needle at %.3f rad: %.2f counts, want %.2f", bearing, got, want)
		}
	}
}

// TestThinPostIsSeenByTheRanger: a pole of 20 mm at 0.6 m, narrower than the gaps between the rays, returns light
// at any place in the cone of 25°, more in its middle.
func TestThinPostIsSeenByTheRanger(t *testing.T) {
	m := physics.RangeFinder().Position
	middle := 0.0
	for degrees := 0.0; degrees <= 12; degrees += 0.25 {
		for _, side := range []float64{-1, 1} {
			at := m.Add(geom.Direction(side * degrees * math.Pi / 180).Scale(0.6))
			e := physics.NewRanger().Look(physics.NewScene([]geom.Shape{geom.NewDisc(at, 0.01, 0.1)}, nil, 1), geom.Pose{}, nil, false)
			if degrees == 0 {
				middle = e.Share
			}
			if math.Abs(e.Distance-0.59) > 0.005 || e.Share < 0.1*middle || e.Share > middle+1e-9 {
				t.Errorf("a pole at %v°: %+v, in the middle %v", side*degrees, e, middle)
			}
		}
	}
	// Its width relative to the cone's, π/4 for its roundness, and the middle's weight relative to the mean.
	near(t, "share of a pole in the middle", middle, 2*0.01/0.6/(25*math.Pi/180)*math.Pi/4/0.733, 0.01)
}

// TestDarkWallIsWeakerForTheRanger: a grey wall is as far as a white one and returns less.
func TestDarkWallIsWeakerForTheRanger(t *testing.T) {
	white := ahead(geom.Pose{}, 0.5)
	grey := physics.NewScene([]geom.Shape{white.Shape(0).Reflecting(0.2)}, nil, 1)
	w, g := physics.NewRanger().Look(white, geom.Pose{}, nil, false), physics.NewRanger().Look(grey, geom.Pose{}, nil, false)
	near(t, "distance", g.Distance, w.Distance, 1e-12)
	near(t, "share", g.Share, 0.2*w.Share, 0.002)
}
