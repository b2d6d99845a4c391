// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// The colours of a robot.
var (
	tyre    = RGB{38, 38, 40}
	plastic = RGB{214, 216, 210}
	circuit = RGB{28, 104, 62}
	diffuse = RGB{232, 232, 226} // the ring that spreads the light of the LEDs
	topping = RGB{20, 74, 48}
	glass   = RGB{16, 16, 22}
	unlit   = RGB{150, 140, 138}
)

// band is a ring around a robot's body, from where the one below ends up to a height, m.
type band struct {
	to     float64
	colour RGB
	glows  bool // does not need light
}

// bands is the number of rings.
const bands = 5

// The rings of the parts of a body; a LED's colour comes into bandLED.
var (
	hull  = [bands]band{{0.026, plastic, false}, {0.030, circuit, false}, {0.038, diffuse, false}, {0.042, circuit, false}, {physics.BodyHeight, topping, false}}
	wheel = [bands]band{{0.004, tyre, false}, {0.038, tyre, false}, {0.041, tyre, false}, {0.042, circuit, false}, {physics.BodyHeight, topping, false}}
	lens  = [bands]band{{0.022, plastic, false}, {0.034, glass, false}, {0.038, diffuse, false}, {0.042, circuit, false}, {physics.BodyHeight, topping, false}}
)

// bandLED is the ring with the LEDs.
const bandLED = 2

// Cosines of half the angles that parts take up on the body's round.
const (
	cosWheel = 0.866 // 30°
	cosLens  = 0.988 // 9°
	cosLED   = 0.985 // 10°
)

// ledAt are the directions of the LEDs on the body, clockwise from the front.
var ledAt = ledDirections()

func ledDirections() (at [8]geom.Vec) {
	for i, d := range robot.LEDs() {
		at[i] = geom.Vec{X: d[0], Y: d[1]}
	}
	return at
}

// rings returns the rings of a robot where its surface faces in direction n, in the robot's own frame.
func (b *Body) rings(n geom.Vec, to *[bands]band) {
	switch {
	case n.Y >= cosWheel || n.Y <= -cosWheel:
		*to = wheel
	case n.X >= cosLens:
		*to = lens
	default:
		*to = hull
	}
	for i, at := range ledAt {
		if n.Dot(at) < cosLED {
			continue
		}
		to[bandLED].colour, to[bandLED].glows = unlit, false
		if c := b.LEDs[i]; c != (RGB{}) {
			to[bandLED].colour, to[bandLED].glows = c, true
		}
	}
}
