// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

const (
	// touch is the overlap (m) under which rounding, not contact, is at work.
	touch = 1e-9
	// areaPerRobot is the least area of an arena that grows, for each robot, as a multiple of the square of the least
	// distance between two robots: 25 e-pucks/m², which cover a tenth of the floor and have space to drive.
	areaPerRobot = 6.8
	// growth is the factor by which the sides of an arena grow at once when robots still do not fit.
	growth = 1.25
)

// measure finds out what the robots that are spread are like.
func (d *spread) measure(s *Simulation, first world.Robot) error {
	if first.Model == "" {
		return nil
	}
	var err error
	if d.solids, err = s.Footprint(first); err != nil {
		return err
	}
	for i := range d.solids {
		d.reach = max(d.reach, d.solids[i].Center().Norm()+d.solids[i].Reach())
	}
	d.spacing = 2*d.reach + 0.002
	return nil
}

// free reports whether a robot at a place touches nothing of the world.
func (d *spread) free(pose geom.Pose) bool {
	if d.solids == nil {
		return d.scene.Free(pose.Position(), nil)
	}
	facing := geom.Direction(pose.Theta)
	for _, n := range d.scene.Around(pose.Position(), d.reach, nil) {
		for i := range d.solids {
			solid := d.solids[i].Carried(pose.Position(), facing)
			if v, in := d.scene.Ref(n).Apart(&solid); in && v.Norm() > touch {
				return false
			}
		}
	}
	return true
}

// meet reports whether robots at two places are too close to each other.
func (d *spread) meet(one, other geom.Pose) bool {
	if v := one.Position().Sub(other.Position()); v.Dot(v) >= float64(d.spacing*d.spacing) || d.solids == nil {
		return v.Dot(v) < float64(d.spacing*d.spacing)
	}
	here, there := geom.Direction(one.Theta), geom.Direction(other.Theta)
	for i := range d.solids {
		a := d.solids[i].Carried(one.Position(), here)
		for k := range d.solids {
			b := d.solids[k].Carried(other.Position(), there)
			if v, in := a.Apart(&b); in && v.Norm() > touch {
				return true
			}
		}
	}
	return false
}

// fill replaces the robots of a world by distributed ones; an arena that may grow is enlarged until they fit.
func (d *spread) fill(w *World, mechanisms MechanismMaker) error {
	if w.Arena == nil || !w.Arena.Grow {
		return d.put(w, mechanisms)
	}
	size := w.Arena.Size
	need := float64(d.n) * float64(areaPerRobot*d.spacing*d.spacing)
	if area := float64(size[0] * size[1]); need > area {
		enlarge(w, math.Sqrt(need/area))
	}
	for {
		err := d.put(w, mechanisms)
		if !errors.Is(err, ErrOccupied) || !enlarge(w, growth) {
			return err
		}
	}
}

// enlarge multiplies the sides of the arena by a factor, rounded up to whole centimetres, and reports whether they are
// still allowed. The arena that others share with this world does not change.
func enlarge(w *World, factor float64) bool {
	a := *w.Arena
	for i := range a.Size {
		a.Size[i] = math.Ceil(float64(a.Size[i]*factor*100)-1e-9) / 100
		if a.Size[i] > world.MaxCoordinate {
			return false
		}
	}
	w.Arena = &a
	return true
}
