// SPDX-License-Identifier: Apache-2.0

package world

import (
	"cmp"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Limits of a world.
const (
	// MaxCoordinate bounds positions and sizes, m.
	MaxCoordinate = 1000.0
	// maxShapes bounds the number of walls, boxes and cylinders together.
	maxShapes = 20_000
	// maxBoards bounds the number of boards.
	maxBoards = 256
	// maxLights bounds the number of lights, and of sounds.
	maxLights = 64
	// maxStations bounds the number of charging stations.
	maxStations = 64
	// maxPaint bounds the number of checkers, circles and points of lines together.
	maxPaint = 2000
	// MaxRobots bounds the number of robots.
	MaxRobots = 100_000
	// MaxMovable bounds the number of movable boxes and cylinders together.
	MaxMovable = 2000
	// maxName bounds the length of names, bytes.
	maxName = 64
)

// Defaults of a world file, SI units.
const (
	DefaultAmbientIrradiance = 1.0
	DefaultHeight            = 0.1
	DefaultThickness         = 0.01
	DefaultWheelDistance     = robot.WheelDistance
	DefaultSelector          = 10
	DefaultReflectance       = 1.0
	DefaultCapacity          = 6480.0 // 1.8 A·h
	DefaultSquare            = 0.004
	DefaultStationRadius     = 0.05
	DefaultMass              = 0.1
	DefaultFriction          = 0.3 // of wood and plastics on a table; plausible
	// DefaultContactFriction is that of hard plastics and wood that slide on each other, for which tables have 0.2 to
	// 0.5. Not measured.
	DefaultContactFriction = 0.3
	DefaultSlipLength      = 0.01 // half a wheel's radius; no measurement is known
)

// DefaultCorners are those of the board that `epuck-driver calibrate camera --sheet` draws.
func DefaultCorners() Corners { return Corners{13, 9} }

// DefaultRangeAndBearing returns what messages by infrared are like. The range is what the e-puck's library libIrcom is
// known for; no figures are known for the others, which are plausible.
func DefaultRangeAndBearing() RangeAndBearing {
	return RangeAndBearing{Range: 0.25, Loss: 0.05, RangeNoise: 0.05, BearingNoise: 0.1}
}

// DefaultMagneticField returns the field of the middle of Europe, T: to the
// east, north and up.
func DefaultMagneticField() Point3 { return Point3{0, 22e-6, -43e-6} }

// Check returns an error wrapping ErrWorld that names the first field that
// makes no sense. Whether things overlap is for the simulation to say.
func (w *World) Check() error { return check(w, locator{}) }

// checker collects the first complaint.
type checker struct {
	at     locator
	names  map[string]string // name → path of the thing that bears it
	models int               // robots with one
	err    error
}

func check(w *World, l locator) error {
	c := &checker{at: l, names: make(map[string]string)}
	c.name(w.Name, false, "name")
	c.number(w.AmbientIrradiance, 0, 100, "ambient_irradiance")
	c.number(w.ContactFriction, 0, maxFriction, "contact_friction")
	for i, v := range w.MagneticField {
		c.number(v, -0.001, 0.001, "magnetic_field", i)
	}
	if n := len(w.Walls) + len(w.Boxes) + len(w.Cylinders); n > maxShapes {
		c.fail("%d walls, boxes and cylinders, at most %d", []any{n, maxShapes})
	}
	if n := w.movable(); n > MaxMovable {
		c.fail("%d movable boxes and cylinders, at most %d", []any{n, MaxMovable})
	}
	if len(w.Boards) > maxBoards {
		c.fail("%d, at most %d", []any{len(w.Boards), maxBoards}, "boards")
	}
	if len(w.Lights) > maxLights {
		c.fail("%d, at most %d", []any{len(w.Lights), maxLights}, "lights")
	}
	if len(w.Sounds) > maxLights {
		c.fail("%d, at most %d", []any{len(w.Sounds), maxLights}, "sounds")
	}
	if n := len(w.Robots); n < 1 || n > MaxRobots {
		c.fail("%d robots, must be 1 to %d", []any{n, MaxRobots}, "robots")
	}
	for i := range w.Robots {
		c.robot(&w.Robots[i], i)
	}
	if a := w.Arena; a != nil {
		c.point(a.Center[:], "arena", "center")
		c.size(a.Size[0], "arena", "size", 0)
		c.size(a.Size[1], "arena", "size", 1)
		c.size(a.Height, "arena", "height")
		c.color(a.Color, "arena", "color")
	}
	c.shapes(w)
	c.number(w.RangeAndBearing.Range, 0, 10, "range_and_bearing", "range")
	c.number(w.RangeAndBearing.Loss, 0, 1, "range_and_bearing", "loss")
	c.number(w.RangeAndBearing.RangeNoise, 0, 1, "range_and_bearing", "range_noise")
	c.number(w.RangeAndBearing.BearingNoise, 0, math.Pi, "range_and_bearing", "bearing_noise")
	if n := len(w.Stations); n > maxStations {
		c.fail("%d, at most %d", []any{n, maxStations}, "stations")
	}
	for i, s := range w.Stations {
		c.unique(s.Name, "stations", i)
		c.point(s.Position[:], "stations", i, "position")
		c.size(s.Radius, "stations", i, "radius")
	}
	c.feeders(w)
	if w.Floor != nil {
		c.floor(w.Floor)
	}
	for i, li := range w.Lights {
		c.unique(li.Name, "lights", i)
		c.point(li.Position[:], "lights", i, "position")
		c.number(li.Intensity, 0, 1e6, "lights", i, "intensity")
	}
	for i, s := range w.Sounds {
		c.unique(s.Name, "sounds", i)
		c.point(s.Position[:], "sounds", i, "position")
		c.number(s.Pressure, 0, 200, "sounds", i, "pressure")
		c.number(s.Frequency, 0, 20e3, "sounds", i, "frequency")
	}
	return c.err
}

// movable returns the number of movable things.
func (w *World) movable() (n int) {
	for i := range w.Boxes {
		if w.Boxes[i].Movable {
			n++
		}
	}
	for i := range w.Cylinders {
		if w.Cylinders[i].Movable {
			n++
		}
	}
	return n
}

func (c *checker) shapes(w *World) {
	for i, s := range w.Walls {
		c.unique(s.Name, "walls", i)
		c.point(s.From[:], "walls", i, "from")
		c.point(s.To[:], "walls", i, "to")
		c.size(s.Thickness, "walls", i, "thickness")
		c.size(s.Height, "walls", i, "height")
		c.color(s.Color, "walls", i, "color")
	}
	for i, s := range w.Boxes {
		c.unique(s.Name, "boxes", i)
		c.point(s.Position[:], "boxes", i, "position")
		c.size(s.Size[0], "boxes", i, "size", 0)
		c.size(s.Size[1], "boxes", i, "size", 1)
		c.number(s.Yaw, -MaxCoordinate, MaxCoordinate, "boxes", i, "yaw")
		c.size(s.Height, "boxes", i, "height")
		c.color(s.Color, "boxes", i, "color")
		c.load(&s.Load, "boxes", i)
	}
	for i, s := range w.Cylinders {
		c.unique(s.Name, "cylinders", i)
		c.point(s.Position[:], "cylinders", i, "position")
		c.size(s.Radius, "cylinders", i, "radius")
		c.size(s.Height, "cylinders", i, "height")
		c.color(s.Color, "cylinders", i, "color")
		c.load(&s.Load, "cylinders", i)
	}
	for i := range w.Boards {
		c.board(&w.Boards[i], i)
	}
}

// load checks what a box or a cylinder is to robots that push it.
func (c *checker) load(l *Load, path ...any) {
	here := func(field string) []any { return append(slices.Clip(path), field) }
	switch {
	case l.Movable:
		c.number(l.Mass, minMass, maxMass, here("mass")...)
		c.number(l.Friction, 0, maxFriction, here("friction")...)
	case l.Mass != 0:
		c.fail("must not be given without movable: true", nil, here("mass")...)
	case l.Friction != 0:
		c.fail("must not be given without movable: true", nil, here("friction")...)
	}
}

func (c *checker) board(b *Board, i int) {
	c.unique(b.Name, "boards", i)
	c.point(b.Position[:], "boards", i, "position")
	c.number(b.Yaw, -MaxCoordinate, MaxCoordinate, "boards", i, "yaw")
	c.number(b.Tilt, -MaxCoordinate, MaxCoordinate, "boards", i, "tilt")
	c.number(b.Roll, -MaxCoordinate, MaxCoordinate, "boards", i, "roll")
	for k, n := range b.Corners {
		if n < 3 || n > 40 {
			c.fail("must be 3 to 40 inner corners, is %d", []any{n}, "boards", i, "corners", k)
		}
	}
	c.number(b.Square, 1e-4, 1, "boards", i, "square")
}

func (c *checker) robot(r *Robot, i int) {
	c.name(r.Name, true, "robots", i, "name")
	c.unique(r.Name, "robots", i)
	c.point(r.Position[:], "robots", i, "position")
	c.number(r.Yaw, -MaxCoordinate, MaxCoordinate, "robots", i, "yaw")
	c.slip(r, i)
	c.cost(r, "robots", i, "cost")
	if r.Processor != "" {
		c.name(r.Processor, true, "robots", i, "processor")
		if r.Level != LevelTarget {
			c.fail("must be given at the level target only, whose programs are counted", nil, "robots", i, "processor")
		}
	}
	if r.Model != "" {
		c.model(r, i)
		if b := r.Battery; b.Given {
			c.number(b.Capacity, 0, 1e6, "robots", i, "battery", "capacity")
			c.number(b.Charge, 0, 1, "robots", i, "battery", "charge")
		}
		return
	}
	c.number(r.WheelDistance, 0.01, 0.2, "robots", i, "wheel_distance")
	if r.Selector < 0 || r.Selector > 15 {
		c.fail("must be 0 to 15, is %d", []any{r.Selector}, "robots", i, "selector")
	}
	c.choice(cmp.Or(r.Level, LevelFirmware), Levels(), "robots", i, "level")
	c.choice(r.Firmware, []string{FirmwareExtension, FirmwareStandard, FirmwareYork}, "robots", i, "firmware")
	c.equipment(&r.Equipment, "robots", i)
	for k, radius := range r.Variation.WheelRadii {
		if r.Variation.WheelRadii != (Radii{}) {
			c.number(radius, 0.01, 0.05, "robots", i, "variation", "wheel_radii", k)
		}
	}
	c.number(r.Variation.Infrared, 0, 0.5, "robots", i, "variation", "infrared")
	c.number(r.Variation.Inertial, 0, 0.1, "robots", i, "variation", "inertial")
	c.cameraModel(&r.CameraModel, "robots", i, "camera_model")
	c.number(r.Battery.Capacity, 1, 1e6, "robots", i, "battery", "capacity")
	c.number(r.Battery.Charge, 0, 1, "robots", i, "battery", "charge")
}

// slip checks how the wheels slip: with the largest random number a wheel that turns forward must not go back.
func (c *checker) slip(r *Robot, i int) {
	v := &r.Variation
	if v.Slip == 0 && v.SlipLength == 0 {
		return
	}
	c.number(v.SlipLength, minSlipLength, maxSlipLength, "robots", i, "variation", "slip_length")
	c.number(v.Slip, 0, 0.1, "robots", i, "variation", "slip")
	if most := float64(maxSlipShare * math.Sqrt(v.SlipLength)); v.Slip > most {
		c.fail("must be at most %.3g with a slip_length of %g, is %g", []any{most, v.SlipLength, v.Slip}, "robots", i, "variation", "slip")
	}
}

// Limits of what moves.
const (
	minMass, maxMass             = 1e-4, 1e4 // kg
	maxFriction                  = 10.0
	minSlipLength, maxSlipLength = 1e-4, 1.0 // m
)

// maxSlipShare bounds slip/√slip_length (physics.maxSlipShare).
const maxSlipShare = 0.16

// choice checks a name out of a few.
func (c *checker) choice(v string, known []string, path ...any) {
	if !slices.Contains(known, v) {
		c.fail("must be one of %q, is %q", []any{known, v}, path...)
	}
}

// fail keeps the first complaint, with line and path.
func (c *checker) fail(format string, args []any, path ...any) {
	if c.err != nil {
		return
	}
	n, _ := c.at.find(path)
	c.err = errorAt(n, path, format, args...)
}

func (c *checker) number(v, low, high float64, path ...any) {
	if !(v >= low && v <= high) { // also catches NaN
		c.fail("must be %g to %g, is %g", []any{low, high, v}, path...)
	}
}

func (c *checker) size(v float64, path ...any) {
	if !(v > 0 && v <= MaxCoordinate) {
		c.fail("must be over 0 and at most %g m, is %g", []any{MaxCoordinate, v}, path...)
	}
}

func (c *checker) point(p []float64, path ...any) {
	for i, v := range p {
		if math.IsNaN(v) || math.Abs(v) > MaxCoordinate {
			c.fail("must be within ±%g m, is %g", []any{MaxCoordinate, v}, append(path, i)...)
		}
	}
}

// name checks the characters of a name.
func (c *checker) name(s string, required bool, path ...any) {
	if s == "" && required {
		c.fail("must be given", nil, path...)
	}
	if len(s) > maxName {
		c.fail("longer than %d bytes", []any{maxName}, path...)
		return
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			c.fail("%q may hold letters, digits, _ and - only", []any{s}, path...)
			return
		}
	}
}

// unique checks a name that may be left out.
func (c *checker) unique(s string, path ...any) {
	here := append(slices.Clip(path), "name")
	c.name(s, false, here...)
	if s == "" {
		return
	}
	if first, taken := c.names[s]; taken {
		c.fail("%q is also the name of %s", []any{s, first}, here...)
		return
	}
	c.names[s] = pathString(path)
}
