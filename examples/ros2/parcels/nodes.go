// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	width, height = 640, 480
	exposure      = time.Second            // between two pictures
	period        = 100 * time.Millisecond // of the controller
	speed         = 0.1                    // m/s
)

// publish logs an error, which a closed transport may give.
func publish[T any](send func(*T) error, m *T) {
	if err := send(m); err != nil {
		log.Print(err)
	}
}

// dispatch gives a robot a parcel at once, and the next one when it reports that it has delivered.
func dispatch(n *ros2.Node, robot string, i int, r *result) error {
	parcels, err := ros2.NewPublisher[geometry_msgs.Point](n, robot+"/parcel", ros2.LatchedQoS())
	if err != nil {
		return err
	}
	given := 0
	next := func() {
		given++
		publish(parcels.Publish, &geometry_msgs.Point{X: 0.2 * float64((given+i)%4), Y: 0.15 * float64((3*given+i)%5)})
	}
	_, err = ros2.Listen(n, robot+"/delivered", ros2.DefaultQoS(), func(*std_msgs.Int32) {
		r.parcels++
		next()
	})
	if err == nil {
		next()
	}
	return err
}

// plan answers each parcel with the way to its place: along x, then along y.
func plan(n *ros2.Node, robot string) error {
	routes, err := ros2.NewPublisher[nav_msgs.Path](n, robot+"/route", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	var last geometry_msgs.Point
	_, err = ros2.Listen(n, robot+"/parcel", ros2.LatchedQoS(), func(goal *geometry_msgs.Point) {
		corner := geometry_msgs.Point{X: goal.X, Y: last.Y}
		var path nav_msgs.Path
		for _, p := range []geometry_msgs.Point{corner, *goal} {
			path.Poses = append(path.Poses, geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: p}})
		}
		last = *goal
		publish(routes.Publish, &path)
	})
	return err
}

// robot is one that drives at constant speed along its route.
type robot struct {
	result *result
	x, y   float64 // m
	route  []geometry_msgs.PoseStamped
}

// control is the robot's node: its camera, the filter of its pictures, and its controller.
func (o *robot) control(n *ros2.Node, name string) error {
	pictures, err := ros2.NewPublisher[sensor_msgs.Image](n, name+"/image", ros2.SensorDataQoS())
	if err != nil {
		return err
	}
	delivered, err := ros2.NewPublisher[std_msgs.Int32](n, name+"/delivered", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	if _, err = ros2.NewTicker(n, "camera", exposure, func(time.Time) { publish(pictures.Publish, o.picture()) }); err != nil {
		return err
	}
	gradient := make([]byte, width*height)
	_, err = ros2.Listen(n, name+"/image", ros2.SensorDataQoS(), func(m *sensor_msgs.Image) {
		o.result.pictures++
		o.result.edges += sobel(gradient, m.Data, int(m.Width))
	})
	if err != nil {
		return err
	}
	if _, err = ros2.Listen(n, name+"/route", ros2.DefaultQoS(), func(m *nav_msgs.Path) { o.route = m.Poses }); err != nil {
		return err
	}
	_, err = ros2.NewTicker(n, "controller", period, func(time.Time) {
		if o.drive() {
			publish(delivered.Publish, &std_msgs.Int32{Data: 1})
		}
	})
	return err
}

// drive advances the robot along its route, and reports whether it has reached its end.
func (o *robot) drive() bool {
	if len(o.route) == 0 {
		return false
	}
	goal := o.route[0].Pose.Position
	dx, dy := goal.X-o.x, goal.Y-o.y
	step := speed * period.Seconds()
	if away := math.Abs(dx) + math.Abs(dy); away > step { // one of them is 0: routes have right angles
		o.x, o.y = o.x+float64(step*dx/away), o.y+float64(step*dy/away)
		return false
	}
	o.x, o.y, o.route = goal.X, goal.Y, o.route[1:]
	return len(o.route) == 0
}

// picture is what the camera sees: squares of 16 pixels that move with the robot.
func (o *robot) picture() *sensor_msgs.Image {
	m := &sensor_msgs.Image{Width: width, Height: height, Step: width, Encoding: "mono8", Data: make([]byte, width*height)}
	shift := int(math.Round(1000 * (o.x + o.y)))
	for i := range m.Data {
		if ((i%width+shift)/16+i/width/16)%2 == 0 {
			m.Data[i] = 200
		}
	}
	return m
}
