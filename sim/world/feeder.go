// SPDX-License-Identifier: Apache-2.0

package world

import "fmt"

// maxFeeders bounds the number of feeders.
const maxFeeders = 64

// Feeder puts movable things into the running world, one at a time, where nothing else is.
type Feeder struct {
	Name     string  `yaml:"name"`
	Position Point   `yaml:"position"` // of the middle of what it puts there, m
	Yaw      float64 `yaml:"yaw"`      // of a box, rad
	Radius   float64 `yaml:"radius"`   // of cylinders, m
	Size     Point   `yaml:"size"`     // of boxes, side lengths, m
	Height   float64 `yaml:"height"`   // m; default 0.1
	Color    Color   `yaml:"color"`
	Mass     float64 `yaml:"mass"`     // kg; default 0.1
	Friction float64 `yaml:"friction"` // coefficient, with the floor; default 0.3
	Number   int     `yaml:"number"`   // how many things in all; default 1
	Period   float64 `yaml:"period"`   // s between two things; 0: each as soon as the one before was taken away
}

// FeederRGB returns the colour of the things of feeder i for cameras.
func (w *World) FeederRGB(i int) [3]uint8 { return w.Feeders[i].Color.or(Paint(i + 4)) }

// FeederName returns the name of feeder i: the file's, or feeder and the number.
func (w *World) FeederName(i int) string {
	if name := w.Feeders[i].Name; name != "" {
		return name
	}
	return fmt.Sprint("feeder", i)
}

// feeders checks the feeders.
func (c *checker) feeders(w *World) {
	if n := len(w.Feeders); n > maxFeeders {
		c.fail("%d, at most %d", []any{n, maxFeeders}, "feeders")
	}
	fed := w.movable()
	for i := range w.Feeders {
		f := &w.Feeders[i]
		c.unique(f.Name, "feeders", i)
		c.point(f.Position[:], "feeders", i, "position")
		c.number(f.Yaw, -MaxCoordinate, MaxCoordinate, "feeders", i, "yaw")
		switch {
		case f.Size != Point{} && f.Radius != 0:
			c.fail("must not be given with a size", nil, "feeders", i, "radius")
		case f.Size != Point{}:
			c.size(f.Size[0], "feeders", i, "size", 0)
			c.size(f.Size[1], "feeders", i, "size", 1)
		default:
			c.size(f.Radius, "feeders", i, "radius")
		}
		c.size(f.Height, "feeders", i, "height")
		c.color(f.Color, "feeders", i, "color")
		c.number(f.Mass, minMass, maxMass, "feeders", i, "mass")
		c.number(f.Friction, 0, maxFriction, "feeders", i, "friction")
		c.number(f.Period, 0, 1e6, "feeders", i, "period")
		if f.Number < 1 || f.Number > MaxMovable {
			c.fail("must be 1 to %d, is %d", []any{MaxMovable, f.Number}, "feeders", i, "number")
			continue
		}
		fed += f.Number
	}
	if len(w.Feeders) > 0 && fed > MaxMovable {
		c.fail("%d movable things with those of the feeders, at most %d", []any{fed, MaxMovable}, "feeders")
	}
}

// setFeederDefaults fills in what the file leaves out of the feeders; def sets a number.
func setFeederDefaults(w *World, l locator, def func(v *float64, value float64, path ...any)) {
	for i := range w.Feeders {
		f := &w.Feeders[i]
		def(&f.Height, DefaultHeight, "feeders", i, "height")
		def(&f.Mass, DefaultMass, "feeders", i, "mass")
		def(&f.Friction, DefaultFriction, "feeders", i, "friction")
		if !l.has("feeders", i, "number") {
			f.Number = 1
		}
	}
}

// feederLimits returns what the values of a feeder's field must be; nil for another field.
func feederLimits(field string) schema {
	switch field {
	case "World.feeders":
		return schema{"maxItems": maxFeeders}
	case "Feeder.name":
		return schema{"pattern": "^[A-Za-z0-9_-]*$", "maxLength": maxName}
	case "Feeder.height", "Feeder.radius":
		return length()
	case "Feeder.yaw":
		return between(-MaxCoordinate, MaxCoordinate)
	case "Feeder.mass":
		return between(minMass, maxMass)
	case "Feeder.friction":
		return between(0, maxFriction)
	case "Feeder.number":
		return schema{"minimum": 1, "maximum": MaxMovable}
	case "Feeder.period":
		return between(0, 1e6)
	}
	return nil
}
