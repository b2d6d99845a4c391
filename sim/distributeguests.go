// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
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
	d.elbow = 2*d.reach + 0.002
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
	if v := one.Position().Sub(other.Position()); v.Dot(v) >= float64(d.elbow*d.elbow) || d.solids == nil {
		return v.Dot(v) < float64(d.elbow*d.elbow)
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
