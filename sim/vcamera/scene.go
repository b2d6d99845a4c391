// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Thing is a solid on the floor.
type Thing struct {
	Shape  geom.Shape
	Colour RGB
}

// Body is another robot.
type Body struct {
	Pose geom.Pose
	// LEDs are the colours of the eight LEDs of its ring, clockwise from the front; black is off.
	LEDs [8]RGB
}

// Lamp is a source of light.
type Lamp struct {
	Position geom.Vec // m
	Height   float64  // m
	// Intensity is what it radiates in each direction, W/sr.
	Intensity float64
}

// Scene is what is to be seen. A Renderer only reads it.
type Scene struct {
	// Things are all solids but robots.
	Things []Thing
	// Bodies are the other robots on the floor.
	Bodies []Body
	// Boards hang in the world.
	Boards []Board
	// Lamps are drawn as small balls that shine. The light they give is in Light.
	Lamps []Lamp
	// Floor is the floor's pattern; nil is white.
	Floor *Floor
	// Light is the irradiance around, W/m²; an automatic exposure makes up for it.
	Light float64
	// Aloft: the robot has been picked up and sees nothing but haze and sky.
	Aloft bool
}
