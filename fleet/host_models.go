// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"math"
	"slices"
	"strings"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// described reads which robot with a model is asked for, if one is: by the name of its description, or by the
// description itself, as the standard has it.
func (h *Host) described(q *si.SpawnEntityRequest) (r world.Robot, is bool, no *refusal) {
	text := strings.TrimLeft(strings.TrimPrefix(q.ResourceString, "\uFEFF"), " \t\r\n")
	switch {
	case slices.Contains(h.Models, q.Uri):
		r.Model = q.Uri
	case q.Uri != "":
		return r, false, nil
	case strings.HasPrefix(text, "<"):
		r.Model, r.Description = "spawned.xml", []byte(text)
	case strings.HasPrefix(text, "#VRML_SIM"):
		r.Model, r.Description = "spawned.proto", []byte(text)
	default:
		return r, false, nil
	}
	return r, true, nil
}

// plainRobot is an e-puck2 of a level as a world file has it that says nothing else of it.
func plainRobot(level string) world.Robot {
	w, err := world.Parse([]byte("robots: [{name: epuck}]"))
	if err != nil {
		return world.Robot{Level: level}
	}
	w.Robots[0].Name, w.Robots[0].Level = "", level
	return w.Robots[0]
}

// admit puts a robot into the world and on the network.
func (h *Host) admit(r *world.Robot) *refusal {
	robot, err := h.Simulation.Spawn(*r)
	switch {
	case errors.Is(err, sim.ErrOccupied):
		return placementRefusal(err)
	case errors.Is(err, sim.ErrModel):
		return refuse(si.SpawnEntityResponseUnsupportedFormat, "%v", err)
	case err != nil && r.Model != "":
		return refuse(si.SpawnEntityResponseResourceParseError, "%v", err)
	case err != nil:
		return refuse(si.ResultOperationFailed, "%v", err)
	}
	if err := h.Fleet.Add(robot); err != nil {
		return refuse(si.ResultOperationFailed, "%v", errors.Join(err, h.Simulation.Remove(r.Name)))
	}
	if err := h.Changed(r.Name, robot); err != nil {
		return refuse(si.ResultOperationFailed, "%v", errors.Join(err, h.withdraw(r.Name)))
	}
	return nil
}

// spawnableModels are the descriptions that robots can be spawned from, with the space that they need.
func (h *Host) spawnableModels() (all []si.Spawnable) {
	if h.Fleet == nil {
		return nil
	}
	for _, name := range h.Models {
		solids, err := h.Simulation.Footprint(world.Robot{Name: "spawnable", Model: name})
		if err != nil { // the request for it reports it
			continue
		}
		shape := footprint(solids, sim.Pose{})
		upper, lower := reachOf(&shape, sim.Pose{})
		all = append(all, si.Spawnable{Uri: name, Description: "robot, " + name, SpawnBounds: box(upper, lower, shape.Height())})
	}
	return all
}

// footprint is a robot's solids at its pose: the only one, or a box around them all with the robot's orientation.
func footprint(solids []geom.Shape, at sim.Pose) geom.Shape {
	facing := geom.Direction(at.Theta)
	if len(solids) == 1 {
		return solids[0].Carried(at.Position(), facing)
	}
	upper, lower := geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}, geom.Vec{X: math.Inf(1), Y: math.Inf(1)}
	height := 0.0
	for i := range solids {
		u, l := reachOf(&solids[i], sim.Pose{})
		upper, lower = geom.Vec{X: max(upper.X, u.X), Y: max(upper.Y, u.Y)}, geom.Vec{X: min(lower.X, l.X), Y: min(lower.Y, l.Y)}
		height = max(height, solids[i].Height())
	}
	around := geom.NewBox(upper.Add(lower).Scale(0.5), upper.Sub(lower), 0, height)
	return around.Carried(at.Position(), facing)
}

// reachOf is how far a shape reaches in a frame at a pose: the corners of the box along its axes.
func reachOf(o *geom.Shape, frame sim.Pose) (upper, lower geom.Vec) {
	turned := geom.Direction(frame.Theta)
	if o.Kind() == geom.Disc {
		r, at := o.Reach(), o.Center().Sub(frame.Position()).Unrotate(turned)
		return geom.Vec{X: at.X + r, Y: at.Y + r}, geom.Vec{X: at.X - r, Y: at.Y - r}
	}
	upper, lower = geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}, geom.Vec{X: math.Inf(1), Y: math.Inf(1)}
	for _, c := range o.Outline(0) {
		v := c.Sub(frame.Position()).Unrotate(turned)
		upper, lower = geom.Vec{X: max(upper.X, v.X), Y: max(upper.Y, v.Y)}, geom.Vec{X: min(lower.X, v.X), Y: min(lower.Y, v.Y)}
	}
	return upper, lower
}

// remark logs once for each model what is not understood of its description. The lock is held.
func (f *Fleet) remark(node *ros2.Node, model string, remarks []description.Remark) {
	if f.remarked[model] {
		return
	}
	if f.remarked == nil {
		f.remarked = map[string]bool{}
	}
	f.remarked[model] = true
	for i, n := range remarks {
		if i == maxRemarks {
			node.Logger().Warn("more of the robot's description is not understood", "model", model, "remarks", len(remarks)-i)
			return
		}
		node.Logger().Warn("not understood in the robot's description", "model", model, "line", n.Line, "what", n.Text)
	}
}

// maxRemarks bounds the lines about what is not understood of a description.
const maxRemarks = 20

// NodeOf is the full name of a robot's node; ok says whether the robot is on the network.
func (f *Fleet) NodeOf(name string) (node ros2.NodeName, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.members[name]
	if g == nil {
		return ros2.NodeName{}, false
	}
	return g.node.Name(), true
}
