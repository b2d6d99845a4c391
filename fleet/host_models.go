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

// requestedModel returns the robot of a request for a described robot: by the name of its description, or by the
// description itself. is reports whether the request is one.
func (h *Host) requestedModel(q *si.SpawnEntityRequest) (r world.Robot, is bool, refused *refusal) {
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

// plainRobot returns an e-puck2 of a level with the defaults of a world file.
func plainRobot(level string) world.Robot {
	w, err := world.Parse([]byte("robots: [{name: epuck}]"))
	if err != nil {
		return world.Robot{Level: level}
	}
	w.Robots[0].Name, w.Robots[0].Level = "", level
	return w.Robots[0]
}

// spawnRobot adds a robot to the world and to the network.
func (h *Host) spawnRobot(r *world.Robot) *refusal {
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
		return refuse(si.ResultOperationFailed, "%v", errors.Join(err, h.removeRobot(r.Name)))
	}
	return nil
}

// spawnableModels returns the descriptions from which robots can be spawned, with their bounds.
func (h *Host) spawnableModels() (all []si.Spawnable) {
	if h.Fleet == nil {
		return nil
	}
	for _, name := range h.Models {
		solids, err := h.Simulation.Footprint(world.Robot{Name: "spawnable", Model: name})
		if err != nil { // a request to spawn it returns the error
			continue
		}
		shape := footprint(solids, sim.Pose{})
		upper, lower := reachOf(&shape, sim.Pose{})
		all = append(all, si.Spawnable{Uri: name, Description: "robot, " + name, SpawnBounds: box(upper, lower, shape.Height())})
	}
	return all
}

// footprint returns a robot's shape at its pose: its only solid, or a box around all of them with the robot's
// orientation.
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

// reachOf returns the extent of a shape in a frame at a pose: the corners of its bounding box along the frame's axes.
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

// logUnsupported logs once per model which parts of its description are not supported. The lock is held.
func (f *Fleet) logUnsupported(node *ros2.Node, model string, remarks []description.Remark) {
	if f.warnedModels[model] {
		return
	}
	if f.warnedModels == nil {
		f.warnedModels = map[string]bool{}
	}
	f.warnedModels[model] = true
	for i, n := range remarks {
		if i == maxRemarks {
			node.Logger().Warn("more of the robot's description is not understood", "model", model, "remarks", len(remarks)-i)
			return
		}
		node.Logger().Warn("not understood in the robot's description", "model", model, "line", n.Line, "what", n.Text)
	}
}

// maxRemarks is the maximum number of log lines about unsupported parts of a description.
const maxRemarks = 20

// NodeOf returns the name of a robot's node; ok is false if the robot is not on the network.
func (f *Fleet) NodeOf(name string) (node ros2.NodeName, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.members[name]
	if g == nil {
		return ros2.NodeName{}, false
	}
	return g.node.Name(), true
}
