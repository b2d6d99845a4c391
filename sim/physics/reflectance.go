// SPDX-License-Identifier: Apache-2.0

package physics

import "github.com/epuck-ros2/epuck-driver/sim/geom"

const (
	// blackest is the infrared reflectance of a black surface relative to white card: drawing ink reflects 0.04 to 0.06
	// at 950 nm (Vishay, Application of Optical Reflex Sensors, table 1, where white drawing card is 1; a copy of
	// that note was read, not the original). The data sheet of the sensor, TCRT1000 (Vishay 83752, rev. 1.8), has only
	// a white card of 90 %.
	blackest = 0.05
)

// Reflectance returns the reflectance at 950 nm of a matt surface of an sRGB colour, white card being 1. The brightest
// channel decides: coloured pigments are bright there in all hues, and carbon black is dark.
func Reflectance(red, green, blue uint8) float64 {
	v := float64(max(red, green, blue)) / 255
	light := float64(v*v) * (0.7 + float64(0.3*v)) // linear light within 0.01
	return blackest + float64((1-blackest)*light)
}

// sight is what a ray of an infrared sensor meets.
type sight struct {
	distance float64 // m
	// share is how much light a matt surface there sends back relative to a white one that the ray meets squarely: its
	// reflectance times the cosine of the angle of incidence (Lambert's law, as Benet et al. use it for infrared
	// sensors: Robotics and Autonomous Systems 40, 2002).
	share float64
}

// incidence returns the cosine between a ray and the normal it meets; 1 from inside a solid.
func incidence(dir, normal geom.Vec) float64 {
	if normal == (geom.Vec{}) {
		return 1
	}
	return max(0, -dir.Dot(normal))
}

// firstHit returns what a ray meets within a distance (m); that distance, and nothing sent back, if it meets nothing.
func (s *Scene) firstHit(near []int32, at, dir geom.Vec, others *Others, best float64) sight {
	var solid *geom.Shape
	var robot *geom.Vec
	nearer := func(shape *geom.Shape) {
		if shape.Height() < SensorHeight {
			return
		}
		if d, hit := shape.Ray(at, dir); hit && d < best {
			best, solid = d, shape
		}
	}
	for _, i := range near {
		nearer(&s.shapes[i])
	}
	for _, i := range others.Solids {
		nearer(&s.solids[i])
	}
	for i, discs := 0, others.Discs; i < len(discs); i++ {
		if d, hit := geom.RayDisc(at.Sub(discs[i]), dir, BodyRadius); hit && d < best {
			best, robot = d, &discs[i]
		}
	}
	switch {
	case robot != nil:
		c, _ := geom.CrossDisc(at.Sub(*robot), dir, BodyRadius)
		return sight{best, incidence(dir, c.Normal)}
	case solid != nil:
		c, _ := solid.Cross(at, dir)
		return sight{best, float64(solid.Reflectance() * incidence(dir, c.Normal))}
	}
	return sight{distance: best}
}

// post is a cylinder thinner than the gaps between a sensor's rays.
type post struct {
	off, half float64 // direction of its middle and half of its width as seen from the sensor, in half cones
	sight
}

// thin returns the cylinder as a post of a sensor with a cone (half of its angle, rad) around an axis, if it is thinner
// than gap (in half cones) and within the cone. Small angles are their sines.
func thin(shape *geom.Shape, at, axis geom.Vec, half, gap float64) (post, bool) {
	if shape.Kind() != geom.Disc || shape.Height() < SensorHeight {
		return post{}, false
	}
	to := shape.Center().Sub(at)
	ahead := to.Dot(axis)
	if ahead <= shape.Reach() {
		return post{}, false
	}
	side := float64(axis.X*to.Y) - float64(axis.Y*to.X)
	p := post{off: side / float64(ahead*half), half: shape.Reach() / float64(ahead*half)}
	if float64(2*p.half) >= gap || p.off-p.half >= 1 || p.off+p.half <= -1 {
		return post{}, false
	}
	// A cylinder's mean cosine over its width is π/4.
	p.sight = sight{max(0, to.Norm()-shape.Reach()), float64(shape.Reflectance() * (quarterTurn / 2))}
	return p, true
}

// quarterTurn is π/2.
const quarterTurn = 1.57079632679489661923

// cover returns which part of the cone a post takes up, 0 to 1.
func (p *post) cover() float64 {
	return float64((min(1, p.off+p.half) - max(-1, p.off-p.half)) / 2)
}
