// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
)

// Traffic is the vehicles of a network. It may not be used by several goroutines at once.
type Traffic struct {
	net      *lanes.Net
	shows    func(l *lanes.Link) byte
	cars     []*Car
	on       map[*lanes.Lane][]*Car // from the beginning of the lane on
	crossing map[*lanes.Link][]*Car
	now      time.Duration
}

// New returns a network without vehicles; shows is the state of a link now: that of its light, or the right of way.
func New(net *lanes.Net, shows func(l *lanes.Link) byte) *Traffic {
	return &Traffic{net: net, shows: shows, on: map[*lanes.Lane][]*Car{}, crossing: map[*lanes.Link][]*Car{}}
}

// Add takes in a vehicle.
func (t *Traffic) Add(c *Car) { t.cars = append(t.cars, c) }

// Remove takes out a vehicle.
func (t *Traffic) Remove(c *Car) {
	t.cars = slices.DeleteFunc(t.cars, func(o *Car) bool { return o == c })
}

// Step finds the vehicles on their lanes, and decides what they do for a while that ends at a time.
func (t *Traffic) Step(now time.Duration) {
	passed := now - t.now
	t.now = now
	for _, c := range t.cars {
		if !c.Idle {
			c.locate()
		}
	}
	t.arrange()
	for _, c := range t.cars {
		if c.Idle {
			continue
		}
		t.change(c)
		speed := t.speed(c, passed.Seconds())
		c.waiting += passed
		if c.Speed > stopped || speed > stopped {
			c.waiting = 0
		}
		c.steer(speed)
	}
}

// arrange notes which vehicles are on which lanes, and which cross junctions.
func (t *Traffic) arrange() {
	clear(t.crossing)
	for lane, list := range t.on {
		if len(list) == 0 {
			delete(t.on, lane)
		}
		t.on[lane] = list[:0]
	}
	for _, c := range t.cars {
		t.on[c.lane] = append(t.on[c.lane], c)
		if c.former != nil {
			t.on[c.former] = append(t.on[c.former], c)
		}
		if c.link != nil {
			t.crossing[c.link] = append(t.crossing[c.link], c)
		}
	}
	for _, list := range t.on {
		slices.SortStableFunc(list, func(a, b *Car) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.Name, b.Name)) })
	}
}

// On returns the vehicles on a lane, from its beginning on, as of the latest step.
func (t *Traffic) On(l *lanes.Lane) []*Car { return t.on[l] }

// safe is the speed from which a vehicle can stop in time, so far behind something of a speed, m and m/s.
func safe(gap, speed float64) float64 {
	const brake = deceleration * reaction
	if gap <= 0 {
		return 0
	}
	return max(0, math.Sqrt(float64(brake*brake)+float64(speed*speed)+float64(2*deceleration*gap))-brake)
}

// speed decides how fast a vehicle drives.
func (t *Traffic) speed(c *Car, seconds float64) float64 {
	v := min(c.MaxSpeed, c.Wanted, c.lane.Speed, max(0, c.Speed)+float64(acceleration*max(seconds, 0.01)))
	if c.arrived {
		return 0
	}
	v = min(v, t.behind(c))
	if c.stop != nil && c.lane.Edge == c.stop && c.stopPos > c.pos-near {
		v = min(v, safe(c.stopPos-c.pos, 0))
	}
	line := c.lane.Length - c.pos - float64(c.Length/2)
	switch link := c.ahead(); {
	case c.link != nil:
	case link == nil:
		v = min(v, safe(line-c.margin(), 0))
	default:
		v = min(v, safe(max(0, line), link.To.Speed))
		if !t.mayPass(c, link, line) {
			v = min(v, safe(line, 0))
		} else if line < near {
			c.link = link
			t.crossing[link] = append(t.crossing[link], c)
		}
	}
	if v < slow {
		return 0
	}
	return v
}

// Leader returns the vehicle ahead on the way and the gap to it, m, at most so far; nil is none.
func (t *Traffic) Leader(c *Car, reach float64) (leader *Car, gap float64) {
	passed := -c.pos
	for i, lane := range c.way() {
		for _, o := range t.on[lane] {
			if o == c || i == 0 && (o.pos < c.pos || o.pos == c.pos && o.Name < c.Name) {
				continue
			}
			pos := o.pos
			if o.lane != lane { // it is changing lanes
				pos, _ = lane.Project(o.Pose.Position())
			}
			return o, passed + pos - float64((c.Length+o.Length)/2)
		}
		if passed += lane.Length; passed > reach {
			break
		}
	}
	return nil, 0
}

// behind is the speed that the vehicle ahead allows.
func (t *Traffic) behind(c *Car) float64 {
	reach := float64(c.Speed*c.Speed/(2*deceleration)) + sight
	o, gap := t.Leader(c, reach)
	if o == nil {
		return math.Inf(1)
	}
	return safe(gap-minGap, max(0, o.Speed))
}

// change moves a vehicle towards the lane that it has to be on, if there is space.
func (t *Traffic) change(c *Car) {
	if c.link != nil || c.former != nil || c.lane.Edge != c.route[c.leg] {
		return
	}
	if t.now > c.until {
		c.forced = -1
	}
	goal := c.goal()
	if goal == c.lane.Index {
		return
	}
	to := c.lane.Edge.Lanes[c.lane.Index+cmp.Compare(goal, c.lane.Index)]
	pos, left := to.Project(c.Pose.Position())
	for _, o := range t.on[to] {
		gap, rear := math.Abs(o.pos-pos)-float64((c.Length+o.Length)/2), o.Speed-c.Speed
		if o.pos > pos {
			rear = c.Speed - o.Speed
		}
		if rear = max(0, rear); gap < minGap+float64(rear*reaction)+float64(rear*rear/(2*deceleration)) {
			t.reroute(c)
			return
		}
	}
	c.former, c.lane, c.pos, c.left = c.lane, to, pos, left
	c.waiting = 0
	t.on[to] = append(t.on[to], c)
	slices.SortStableFunc(t.on[to], func(a, b *Car) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.Name, b.Name)) })
}

// goal is the lane of its edge that a vehicle has to be on: what it is commanded, else the nearest that leads on.
func (c *Car) goal() int {
	if c.forced >= 0 && c.forced < len(c.lane.Edge.Lanes) {
		return c.forced
	}
	next := c.next()
	if next == nil {
		return c.lane.Index
	}
	goal, steps := c.lane.Index, math.MaxInt
	for i, lane := range c.lane.Edge.Lanes {
		l := best(lane, next, c.route[c.leg+1:])
		if l == nil {
			continue
		}
		cost := 2 * max(i-c.lane.Index, c.lane.Index-i)
		if rest := c.route[c.leg+1:]; len(rest) > 1 && l.To.To(rest[1]) == nil {
			cost++ // it has to change behind the junction
		}
		if cost < steps {
			goal, steps = i, cost
		}
	}
	return goal
}

// margin is how far before the end of its lane a vehicle waits for another lane, m: those that have to go to the left
// leave space for those that have to go to the right.
func (c *Car) margin() float64 {
	switch goal := c.goal(); {
	case c.next() == nil || goal == c.lane.Index:
		return 0
	case goal > c.lane.Index:
		return min(toLeft, c.lane.Length/2)
	default:
		return min(toRight, c.lane.Length/4)
	}
}

// reroute gives a vehicle that has waited in vain for another lane a route that its lane leads to, if there is one.
func (t *Traffic) reroute(c *Car) {
	if c.waiting < lost || c.ahead() != nil {
		return
	}
	for _, l := range c.lane.Links {
		if rest, err := t.net.Route(l.To.Edge, c.route[len(c.route)-1]); err == nil {
			c.route, c.leg, c.waiting = append([]*lanes.Edge{c.route[c.leg]}, rest...), 0, 0
			return
		}
	}
}
