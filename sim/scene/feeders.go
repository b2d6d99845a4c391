// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// feedCycles is the number of infrared cycles after which feeders look whether there is space for the next thing.
const feedCycles = 10

// feeder is a feeder of the world file.
type feeder struct {
	made   *world.Feeder `checkpoint:"-"`
	name   string
	colour [3]uint8
	fed    int   // things that it has put into the world
	next   int64 // infrared cycle before which it puts none there
}

// newFeeders makes the feeders of a checked world.
func newFeeders(w *world.World) []feeder {
	list := make([]feeder, len(w.Feeders))
	for i := range list {
		list[i] = feeder{made: &w.Feeders[i], name: w.FeederName(i), colour: w.FeederRGB(i)}
	}
	return list
}

// empty reports whether all things are in the world.
func (f *feeder) empty() bool { return f.fed == f.made.Number }

// thing returns the next thing.
func (f *feeder) thing() Thing {
	shape := geom.NewDisc(vec(f.made.Position), f.made.Radius, f.made.Height)
	if f.made.Size != (world.Point{}) {
		shape = geom.NewBox(vec(f.made.Position), vec(f.made.Size), f.made.Yaw, f.made.Height)
	}
	if painted, ok := f.made.Color.RGB(); ok {
		shape = shape.Reflecting(physics.Reflectance(painted[0], painted[1], painted[2]))
	}
	return Thing{Name: fmt.Sprintf("%s_%d", f.name, f.fed), Shape: shape, Colour: f.colour}
}

// feeding reports whether a feeder is not empty.
func (s *Scene) feeding() bool {
	return slices.ContainsFunc(s.feeders, func(f feeder) bool { return !f.empty() })
}

// ready returns the next thing and whether it may be put into the world: the feeder is not empty, and its place is
// free.
func (f *feeder) ready(s *Scene) (t Thing, ok bool) {
	if f.empty() || len(s.movables) >= world.MaxMovable {
		return t, false
	}
	t = f.thing()
	return t, !s.named(t.Name) && !s.inTheWay(&t.Shape)
}

// due returns the first infrared cycle after one in which the feeder may put something into the world.
func (f *feeder) due(cycle int64) int64 {
	next := max(f.next, cycle+1)
	return (next + feedCycles - 1) / feedCycles * feedCycles
}

// Feed adds one thing of each feeder that is due and ready to the world.
func (s *Scene) Feed(cycle int64) {
	if cycle%feedCycles != 0 {
		return
	}
	for i := range s.feeders {
		f := &s.feeders[i]
		if cycle < f.next {
			continue
		}
		t, ok := f.ready(s)
		if !ok {
			continue
		}
		s.addMovable(&t, world.Load{Movable: true, Mass: f.made.Mass, Friction: f.made.Friction})
		f.fed++
		f.next = cycle + int64(math.Round(f.made.Period/kernel.CycleSeconds))
	}
}

// Until returns the end of the last infrared cycle up to a target, steps, before a feeder puts something into a scene in
// which nothing moves, and the target if none does.
func (s *Scene) Until(steps, target int64) int64 {
	for i := range s.feeders {
		f := &s.feeders[i]
		if end := (f.due(steps/kernel.StepsPerCycle) - 1) * kernel.StepsPerCycle; end < target-kernel.StepsPerCycle+1 {
			if _, ok := f.ready(s); ok {
				target = end
			}
		}
	}
	return target
}

// Check returns ErrOccupied for a feeder in whose place something is that does not move.
func (s *Scene) Check() error {
	for i := range s.feeders {
		f := &s.feeders[i]
		t := f.thing()
		for k := range int32(s.firstPerson()) {
			if !s.physics.Movable(k) && overlap(s.physics.Ref(k), &t.Shape) {
				return fmt.Errorf("feeder %q at (%g, %g) m is in something that does not move: %w", f.name, f.made.Position[0], f.made.Position[1], ErrOccupied)
			}
		}
	}
	return nil
}
