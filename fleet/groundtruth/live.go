// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// watchPeriod is the period, of the machine's time, at which changes of the world's objects are published, and while
// the clock is paused those of the robots' poses.
const watchPeriod = 200 * time.Millisecond

// scene is the variable state of a world: the positions of its objects, lights and people.
type scene struct {
	things  []sim.Thing
	lamps   []sim.Lamp
	persons []figure
}

// figure is a person as it is drawn.
type figure struct {
	at             geom.Vec
	radius, height float64
}

func sceneOf(s *sim.Simulation) scene {
	now := scene{things: s.Things(), lamps: s.Lamps()}
	for _, p := range s.Persons() {
		now.persons = append(now.persons, figure{p.Pose.Position(), p.Radius, p.Height})
	}
	return now
}

func (s *scene) equal(other *scene) bool {
	return slices.Equal(s.things, other.things) && slices.Equal(s.lamps, other.lamps) && slices.Equal(s.persons, other.persons)
}

// watch publishes changes for viewers, compared with was at first, until stop is closed.
func (v *View) watch(w *world.World, s *sim.Simulation, was scene) {
	ticker := time.NewTicker(watchPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-v.stop:
			return
		case <-ticker.C:
		}
		if v.paused() {
			v.publishChanges()
		}
		if s == nil || !v.things.HasSubscribers() { // a new subscriber gets the latest message, and later changes
			continue
		}
		if now := sceneOf(s); !now.equal(&was) {
			was = now
			_ = v.things.Publish(now.markers(w)) // the next change is published anyway
		}
	}
}

// markers returns the markers of a world in its current state, after a marker that deletes the previous ones.
func (s *scene) markers(w *world.World) *visualization_msgs.MarkerArray {
	m := Markers(s.applyTo(w))
	deleteAll := visualization_msgs.DefaultMarker()
	deleteAll.Header.FrameID, deleteAll.Action = Frame, visualization_msgs.MarkerDeleteAll
	d := &drawing{MarkerArray: *m}
	for _, p := range s.persons {
		c := d.add("people", visualization_msgs.MarkerCylinder, rgb(30, 120, 180))
		c.Pose.Position = geometry_msgs.Point{X: p.at.X, Y: p.at.Y, Z: p.height / 2}
		c.Pose.Orientation = heading(0)
		c.Scale = geometry_msgs.Vector3{X: 2 * p.radius, Y: 2 * p.radius, Z: p.height}
	}
	d.Markers = append([]visualization_msgs.Marker{deleteAll}, d.Markers...)
	return &d.MarkerArray
}

// applyTo returns the world with its objects and lights at their current positions.
func (s *scene) applyTo(w *world.World) *world.World {
	now := *w
	now.Boxes, now.Cylinders, now.Walls, now.Lights = slices.Clone(w.Boxes), slices.Clone(w.Cylinders), slices.Clone(w.Walls), slices.Clone(w.Lights)
	rest := s.things
	next := func() *geom.Shape {
		shape := &rest[0].Shape
		rest = rest[1:]
		return shape
	}
	for i := range now.Boxes {
		shape := next()
		now.Boxes[i].Position, now.Boxes[i].Yaw = point(shape.Center()), shape.Yaw()
	}
	for i := range now.Cylinders {
		now.Cylinders[i].Position = point(next().Center())
	}
	for i := range now.Walls {
		shape := next()
		length := math.Hypot(w.Walls[i].To[0]-w.Walls[i].From[0], w.Walls[i].To[1]-w.Walls[i].From[1])
		along := geom.Direction(shape.Yaw()).Scale(length / 2)
		now.Walls[i].From, now.Walls[i].To = point(shape.Center().Sub(along)), point(shape.Center().Add(along))
	}
	for i, l := range s.lamps {
		now.Lights[i].Position = world.Point3{l.Position.X, l.Position.Y, l.Height}
	}
	return &now
}

func point(v geom.Vec) world.Point { return world.Point{v.X, v.Y} }
