// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Distribution is how robots are distributed in a world.
type Distribution string

// The distributions.
const (
	// Uniform places robots anywhere with the same probability, with any heading.
	Uniform Distribution = "uniform"
	// Grid places them in rows and columns that fill the arena, all with the heading of the world's first robot.
	Grid Distribution = "grid"
	// Gaussian places them around the centre: normal with a standard deviation of a sixth of the arena's shorter side.
	Gaussian Distribution = "gaussian"
	// Ring places them on a circle around the centre, all facing outwards.
	Ring Distribution = "ring"
)

// Distributions returns all distributions.
func Distributions() []Distribution { return []Distribution{Uniform, Grid, Gaussian, Ring} }

const (
	// spacing is the minimum distance between the centres of two distributed robots, m: they do not touch.
	spacing = 2*physics.BodyRadius + 0.002
	// placeTrials is how often a place is drawn for one robot before the world counts as full.
	placeTrials = 2000
	// openDensity is the density of robots in a world without an arena, 1/m².
	openDensity = 2.5
)

// Distribute replaces a world's robots by n that are like its first one, named after it with a number from 1 on: robot
// "epuck" gives epuck1, epuck2 and so on; one robot alone keeps its name. They are placed in the arena, or without one
// in a square of 2.5 robots/m² around the first robot, where they touch no wall, object or other robot. An arena with
// [world.Arena].Grow is enlarged if it is too small for them. The seed determines the poses. It returns an error
// wrapping world.ErrWorld for an invalid world or an unknown distribution, ErrModel for a first robot with a model, and
// ErrOccupied if they do not fit; then the world has not changed.
func Distribute(w *World, n int, how Distribution, seed uint64) error {
	return DistributeMechanisms(w, n, how, seed, nil)
}

// DistributeMechanisms is [Distribute] where the first robot may have a model: mechanisms makes it, and the robots are
// placed where its own solids fit. The errors are those of the maker, too.
func DistributeMechanisms(w *World, n int, how Distribution, seed uint64, mechanisms MechanismMaker) error {
	if err := w.Check(); err != nil {
		return err
	}
	if !slices.Contains(Distributions(), how) {
		return fmt.Errorf("%w: distribution %q, must be one of %q", world.ErrWorld, how, Distributions())
	}
	if n < 1 || n > world.MaxRobots {
		return fmt.Errorf("%w: %d robots, must be 1 to %d", world.ErrWorld, n, world.MaxRobots)
	}
	d := spread{n: n, how: how, src: noise.New(seed).Named("distribution"), spacing: spacing}
	if err := d.measure(built(w, mechanisms), w.Robots[0]); err != nil {
		return err
	}
	changed := *w
	if err := d.fill(&changed, mechanisms); err != nil {
		return err
	}
	if err := changed.Check(); err != nil {
		return err
	}
	*w = changed
	return nil
}

// built returns a simulation with the scene of a world and no robots.
func built(w *World, mechanisms MechanismMaker) *Simulation {
	s := &Simulation{opts: Options{Mechanisms: mechanisms}.withDefaults()}
	s.world.Init(w, s.opts.config())
	return s
}

// put replaces the robots of a world by distributed ones.
func (d *spread) put(w *World, mechanisms MechanismMaker) error {
	d.scene, d.drawn, d.lattice = built(w, mechanisms).world.Physics, 0, nil
	d.cells = make(map[[2]int32][]geom.Pose)
	d.field(w)
	robots := make([]world.Robot, d.n)
	for i := range robots {
		pose, ok := d.place(d.how, i)
		if !ok {
			return fmt.Errorf("%w: %d robots do not fit into %.2f × %.2f m (%s): no place for robot %d", ErrOccupied,
				d.n, d.size.X, d.size.Y, d.how, i+1)
		}
		r := w.Robots[0]
		if d.n > 1 {
			r.Name = fmt.Sprintf("%s%d", w.Robots[0].Name, i+1)
		}
		r.Position, r.Yaw = world.Point{pose.X, pose.Y}, pose.Theta
		robots[i] = r
	}
	w.Robots = robots
	return nil
}

// spread places robots one by one in a field.
type spread struct {
	scene        *physics.Scene
	n            int
	how          Distribution
	src          noise.Source
	center, size geom.Vec
	yaw          float64
	drawn        uint64
	spacing      float64                  // minimum distance of these robots, m
	solids       []geom.Shape             // of an articulated robot around its pose; none: an e-puck2
	reach        float64                  // of them, m
	cells        map[[2]int32][]geom.Pose // robots already placed
	lattice      []geom.Vec               // free places of the grid
}

// field determines the area for the robots.
func (d *spread) field(w *World) {
	first := w.Robots[0]
	d.yaw = first.Yaw
	if a := w.Arena; a != nil {
		d.center, d.size = point(a.Center), point(a.Size)
		return
	}
	side := math.Sqrt(float64(d.n) / openDensity)
	if d.solids != nil {
		side = max(side, float64(1.5*d.spacing*math.Sqrt(float64(d.n))))
	}
	d.center, d.size = point(first.Position), geom.Vec{X: side, Y: side}
}

// place returns a free place for robot i.
func (d *spread) place(how Distribution, i int) (geom.Pose, bool) {
	switch how {
	case Grid:
		return d.gridPlace(i)
	case Ring:
		radius := max(min(d.size.X, d.size.Y)/3, d.spacing/2/math.Sin(math.Pi/float64(max(d.n, 2))))
		theta := geom.WrapAngle(2 * math.Pi * float64(i) / float64(d.n))
		at := d.center.Add(geom.Direction(theta).Scale(float64(radius)))
		pose := geom.Pose{X: at.X, Y: at.Y, Theta: theta}
		return pose, d.occupy(pose)
	}
	for range placeTrials {
		at := d.center.Add(d.draw(how))
		pose := geom.Pose{X: at.X, Y: at.Y}
		if d.solids != nil { // its heading decides whether it fits
			pose.Theta = geom.WrapAngle(float64(2 * math.Pi * d.random()))
		}
		if d.occupy(pose) {
			if d.solids == nil {
				pose.Theta = geom.WrapAngle(float64(2 * math.Pi * d.random()))
			}
			return pose, true
		}
	}
	return geom.Pose{}, false
}

// draw returns a random position relative to the centre.
func (d *spread) draw(how Distribution) geom.Vec {
	if how == Gaussian {
		sigma := min(d.size.X, d.size.Y) / 6
		d.drawn += 2
		return geom.Vec{X: float64(sigma * d.src.Normal(d.drawn)), Y: float64(sigma * d.src.Normal(d.drawn+1))}
	}
	return geom.Vec{X: float64((d.random() - 0.5) * d.size.X), Y: float64((d.random() - 0.5) * d.size.Y)}
}

func (d *spread) random() float64 {
	d.drawn++
	return d.src.Stream(1).Float64(d.drawn)
}

// gridPlace returns place i of the grid, the smallest that has enough free places.
func (d *spread) gridPlace(i int) (geom.Pose, bool) {
	if d.lattice == nil {
		most := int(float64(d.size.X/d.spacing)+1) * int(float64(d.size.Y/d.spacing)+1)
		for wanted := d.n; len(d.lattice) < d.n && wanted <= 2*most; wanted += max(1, wanted/20) {
			d.findGrid(wanted)
		}
	}
	if i >= len(d.lattice) {
		return geom.Pose{}, false
	}
	at := d.lattice[i]
	return geom.Pose{X: at.X, Y: at.Y, Theta: d.yaw}, true
}

// findGrid finds the free places of a grid of about wanted places.
func (d *spread) findGrid(wanted int) {
	d.lattice = d.lattice[:0]
	clear(d.cells)
	columns := int(math.Ceil(math.Sqrt(float64(float64(wanted) * d.size.X / d.size.Y))))
	rows := (wanted + columns - 1) / columns
	for k := range columns * rows {
		x := (float64(k%columns)+0.5)/float64(columns) - 0.5
		y := (float64(k/columns)+0.5)/float64(rows) - 0.5
		at := d.center.Add(geom.Vec{X: float64(x * d.size.X), Y: float64(y * d.size.Y)})
		if d.occupy(geom.Pose{X: at.X, Y: at.Y, Theta: d.yaw}) {
			d.lattice = append(d.lattice, at)
		}
	}
}

// occupy places a robot if the place is free, and reports whether it was.
func (d *spread) occupy(pose geom.Pose) bool {
	at := pose.Position()
	if !d.free(pose) {
		return false
	}
	cx, cy := int32(math.Floor(at.X/d.spacing)), int32(math.Floor(at.Y/d.spacing))
	for y := cy - 1; y <= cy+1; y++ {
		for x := cx - 1; x <= cx+1; x++ {
			for _, o := range d.cells[[2]int32{x, y}] {
				if d.meet(pose, o) {
					return false
				}
			}
		}
	}
	d.cells[[2]int32{cx, cy}] = append(d.cells[[2]int32{cx, cy}], pose)
	return true
}

func point(p world.Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1]} }
