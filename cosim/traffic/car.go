// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Car is a vehicle on a network.
type Car struct {
	Name   string
	Length float64 // m
	Track  float64 // between its wheels, m
	// MaxSpeed is the most that it drives, and Wanted what it is commanded, both m/s.
	MaxSpeed, Wanted float64
	// Pose and Speed are where it is and how fast, m/s. Who moves it sets them before each step.
	Pose  geom.Pose
	Speed float64
	// Forward and Turn are what Step decides: the speeds, m/s and rad/s.
	Forward, Turn float64
	// Idle says that something else drives it, or that it is parked: others keep their distance.
	Idle bool

	lane    *lanes.Lane
	pos     float64 // of its middle on the lane, m
	left    float64 // of the lane, m
	former  *lanes.Lane
	route   []*lanes.Edge
	leg     int         // the edge of the route on which it is, or was before the junction
	link    *lanes.Link // that it crosses a junction on, nil: none
	stop    *lanes.Edge // where it is commanded to stop, nil: nowhere
	stopPos float64     // m
	forced  int         // the lane that it is commanded to take, -1: none
	until   time.Duration
	waiting time.Duration
	arrived bool
}

// NewCar puts a vehicle on a position of a lane, m, with a route that begins there.
func NewCar(name string, lane *lanes.Lane, pos float64, route []*lanes.Edge) *Car {
	c := &Car{Name: name, MaxSpeed: math.Inf(1), Wanted: math.Inf(1), forced: -1, route: route}
	c.MoveTo(lane, pos)
	return c
}

// MoveTo takes note that the vehicle was put on a lane of its route.
func (c *Car) MoveTo(lane *lanes.Lane, pos float64) {
	c.lane, c.pos, c.left, c.former, c.link, c.arrived = lane, pos, 0, nil, nil, false
	for i, e := range c.route {
		if e == lane.Edge {
			c.leg = i
			break
		}
	}
	p, d := lane.At(pos)
	c.Pose = geom.Pose{X: p.X, Y: p.Y, Theta: math.Atan2(d.Y, d.X)}
}

// SetRoute gives the vehicle another route, in which its present edge is number leg.
func (c *Car) SetRoute(route []*lanes.Edge, leg int) {
	c.route, c.leg, c.arrived = route, leg, false
}

// ChangeLane commands the vehicle to be on a lane of its edge until a time.
func (c *Car) ChangeLane(index int, until time.Duration) { c.forced, c.until = index, until }

// StopAt commands the vehicle to stop at a position of an edge, m; nil ends that.
func (c *Car) StopAt(edge *lanes.Edge, pos float64) { c.stop, c.stopPos = edge, pos }

// Stopped reports whether the vehicle is still where it is commanded to stop.
func (c *Car) Stopped() bool {
	return c.stop != nil && c.lane.Edge == c.stop && c.Speed <= stopped && math.Abs(c.stopPos-c.pos) < 2*near
}

// Place returns the lane, the position of the vehicle's middle on it and how far it is to the left of it, m.
func (c *Car) Place() (lane *lanes.Lane, pos, left float64) { return c.lane, c.pos, c.left }

// Route returns the route, and the number of the edge in it on which the vehicle is, or was before the junction.
func (c *Car) Route() (route []*lanes.Edge, leg int) { return c.route, c.leg }

// Edge returns the edge of the route on which the vehicle is, or was before the junction.
func (c *Car) Edge() *lanes.Edge { return c.route[c.leg] }

// Crossing returns the link on which the vehicle crosses a junction, nil if it is in none.
func (c *Car) Crossing() *lanes.Link { return c.link }

// Arrived reports whether the vehicle is at the end of its route.
func (c *Car) Arrived() bool { return c.arrived }

// next returns the edge behind the present one on the route, nil at its end.
func (c *Car) next() *lanes.Edge {
	if c.leg+1 < len(c.route) {
		return c.route[c.leg+1]
	}
	return nil
}

// ahead returns the link that the vehicle takes at the end of its edge: nil at the end of the route, and where it has
// to change lanes before.
func (c *Car) ahead() *lanes.Link {
	if c.Idle {
		return nil
	}
	if c.link != nil {
		return c.link
	}
	if next := c.next(); next != nil {
		return best(c.lane, next, c.route[c.leg+1:])
	}
	return nil
}

// best is the link from a lane to an edge that leads on along the rest of the route, or any to that edge.
func best(lane *lanes.Lane, next *lanes.Edge, rest []*lanes.Edge) *lanes.Link {
	var some *lanes.Link
	for _, l := range lane.Links {
		if l.To.Edge != next {
			continue
		}
		if len(rest) < 2 || l.To.To(rest[1]) != nil {
			return l
		}
		if some == nil {
			some = l
		}
	}
	return some
}

// way is the lanes that the vehicle drives on from its present one: those of the junction and the one behind it.
func (c *Car) way() []*lanes.Lane {
	way := []*lanes.Lane{c.lane}
	l := c.ahead()
	if l == nil {
		return way
	}
	inside := l.Inside()
	for i, lane := range inside {
		if lane == c.lane {
			return append(append(way, inside[i+1:]...), l.To)
		}
	}
	if c.lane == l.To {
		return way
	}
	return append(append(way, inside...), l.To)
}

// locate finds the vehicle on its way, from its pose.
func (c *Car) locate() {
	at := c.Pose.Position()
	c.pos, c.left = c.lane.Project(at)
	for c.pos >= c.lane.Length {
		way := c.way()
		if len(way) < 2 || c.link == nil && c.lane.Edge == c.route[c.leg] && c.ahead() == nil {
			break
		}
		if c.link == nil {
			c.link = c.ahead()
		}
		c.lane, c.former = way[1], nil
		if c.leg+1 < len(c.route) && c.lane.Edge == c.route[c.leg+1] {
			c.leg++
		}
		c.pos, c.left = c.lane.Project(at)
		if c.pos < 0 {
			c.pos = 0
		}
	}
	if c.link != nil && c.lane == c.link.To && c.pos > c.Length {
		c.link = nil
	}
	if c.former != nil && math.Abs(c.left) < c.lane.Width/4 {
		c.former = nil
	}
	c.arrived = c.next() == nil && c.lane.Edge == c.route[c.leg] && c.pos >= c.lane.Length-float64(c.Length/2)-near
}

// target is the point of the way so far ahead of the vehicle, m.
func (c *Car) target(distance float64) geom.Vec {
	pos := c.pos + distance
	way := c.way()
	for i, lane := range way {
		if pos <= lane.Length || i == len(way)-1 {
			p, _ := lane.At(pos)
			return p
		}
		pos -= lane.Length
	}
	return c.Pose.Position()
}

// steer sets the speeds so that the vehicle follows its way at a speed, m/s.
func (c *Car) steer(speed float64) {
	goal := c.target(max(lookahead, math.Abs(c.left)))
	v := goal.Sub(c.Pose.Position()).Unrotate(geom.Direction(c.Pose.Theta))
	angle, distance := math.Atan2(v.Y, v.X), max(v.Norm(), 0.01)
	if math.Abs(angle) > steepest {
		c.Forward, c.Turn = 0, max(-spin, min(spin, float64(spin*angle)))
		if speed <= 0 {
			c.Turn = 0
		}
		return
	}
	curvature := 2 * math.Sin(angle) / distance
	c.Forward = min(speed, c.MaxSpeed/(1+float64(math.Abs(curvature)*c.Track/2)))
	c.Turn = float64(c.Forward * curvature)
}
