// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Robot is a simulated robot whose true pose is published.
type Robot interface {
	Name() string
	GroundTruth() sim.GroundTruth
}

// shaped is a robot with an outline relative to a frame; its model is empty if it is an e-puck2.
type shaped interface {
	Model() string
	Outline() (solids []geom.Shape, frame string)
}

// topicIn returns the name of a topic in a namespace.
func topicIn(namespace, name string) string {
	if namespace == "/" {
		return "/" + name
	}
	return namespace + "/" + name
}

// outline publishes the shape of a robot other than an e-puck2 once, latched: markers in the robot's own frame, which
// move with it. end closes the publisher; for an e-puck2 it does nothing.
func outline(n *ros2.Node, namespace string, robot Robot) (end func() error, err error) {
	s, ok := robot.(shaped)
	if !ok || s.Model() == "" {
		return func() error { return nil }, nil
	}
	pub, err := ros2.NewPublisher[visualization_msgs.MarkerArray](n, topicIn(namespace, "outline"), ros2.LatchedQoS())
	if err != nil {
		return nil, err
	}
	solids, frame := s.Outline()
	if strings.HasSuffix(namespace, "/"+robot.Name()) { // else it is the only robot, without a prefix
		frame = robot.Name() + "/" + frame
	}
	d := &drawing{}
	for i := range solids {
		d.solid(&solids[i], frame)
	}
	if err := pub.Publish(&d.MarkerArray); err != nil {
		_ = pub.Close() // the node was closed
		return nil, err
	}
	return pub.Close, nil
}

// solid adds the marker of a robot's solid.
func (d *drawing) solid(o *geom.Shape, frame string) {
	kind, size := visualization_msgs.MarkerCylinder, geom.Vec{X: 2 * o.Reach(), Y: 2 * o.Reach()}
	yaw := 0.0
	if o.Kind() == geom.Box {
		kind, size, yaw = visualization_msgs.MarkerCube, o.Size(), o.Yaw()
	}
	m := d.add("outline", kind, rgb(200, 200, 205))
	m.Header.FrameID, m.FrameLocked = frame, true
	at := o.Center()
	m.Pose.Position = geometry_msgs.Point{X: at.X, Y: at.Y, Z: o.Height() / 2}
	m.Pose.Orientation = heading(yaw)
	m.Scale = geometry_msgs.Vector3{X: size.X, Y: size.Y, Z: o.Height()}
}
