// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
)

// mayPass reports whether a vehicle may drive over the line before a link, m ahead of it.
func (t *Traffic) mayPass(c *Car, link *lanes.Link, line float64) bool {
	state := t.shows(link)
	switch state {
	case 'r', 'R', 'u':
		return false
	case 'y', 'Y':
		if line > float64(c.Speed*c.Speed)/(2*deceleration) {
			return false
		}
	}
	return t.space(c, link) && t.free(c, link) && (lanes.Priority(state) || !t.yields(c, link, line))
}

// space reports whether there is space for the vehicle behind the junction.
func (t *Traffic) space(c *Car, link *lanes.Link) bool {
	behind := t.on[link.To]
	if len(behind) == 0 || behind[0] == c {
		return true
	}
	o := behind[0]
	return o.Speed > stopped || o.pos-float64(o.Length/2) > c.Length+minGap
}

// free reports whether no vehicle is on a link that crosses this one.
func (t *Traffic) free(c *Car, link *lanes.Link) bool {
	if link.Junction == nil {
		return true
	}
	for i, foe := range link.Junction.Links {
		if foe == nil || !link.Junction.Foes(link.Request, i) {
			continue
		}
		if slices.ContainsFunc(t.crossing[foe], func(o *Car) bool { return o != c }) {
			return false
		}
	}
	return true
}

// yields reports whether the vehicle has to let another one drive first.
func (t *Traffic) yields(c *Car, link *lanes.Link, line float64) bool {
	j := link.Junction
	if j == nil {
		return false
	}
	mine := (max(0, line) + link.Length() + c.Length) / max(slowest, c.Speed)
	for i, foe := range j.Links {
		if foe == nil || !j.Yields(link.Request, i) || red(t.shows(foe)) {
			continue
		}
		o := t.first(foe)
		if o == nil || o == c {
			continue
		}
		arrives := max(0, foe.From.Length-o.pos-float64(o.Length/2)) / max(slowest, o.Speed)
		if arrives < mine+margin && !t.drivesFirst(c, o) {
			return true
		}
	}
	return false
}

func red(state byte) bool { return state == 'r' || state == 'R' || state == 'u' }

// first is the vehicle that comes to a link first, nil if none does.
func (t *Traffic) first(l *lanes.Link) *Car {
	on := t.on[l.From]
	if len(on) == 0 {
		return nil
	}
	if o := on[len(on)-1]; o.link == nil && o.lane == l.From && o.ahead() == l {
		return o
	}
	return nil
}

// drivesFirst reports whether the first of two vehicles that wait for each other drives: the one that came first.
func (t *Traffic) drivesFirst(c, o *Car) bool {
	if c.waiting < deadlock || o.Speed > stopped {
		return false
	}
	return c.waiting > o.waiting || c.waiting == o.waiting && c.Name < o.Name
}
