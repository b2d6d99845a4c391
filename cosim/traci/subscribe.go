// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"errors"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// subscription is what a client receives after each step.
type subscription struct {
	dom        byte
	id         string
	begin, end float64 // s
	variables  []variableRequest
	// Of a context: what is around the object.
	context bool
	around  byte // domain
	reach   float64
	kinds   []string // types, a filter; nil: all
	vision  float64  // opening angle of what is seen, degrees, a filter; 0: all
}

// variableRequest is a variable with its parameter.
type variableRequest struct {
	variable byte
	args     []byte
}

// maxSubscriptions bounds the subscriptions of a client.
const maxSubscriptions = 100000

// subscribe executes a subscription: its status and its first result are appended.
func (s *Server) subscribe(c *client, id byte, body []byte) {
	sub, err := readSubscription(id, body)
	if err != nil {
		c.status(id, err)
		return
	}
	old := slices.IndexFunc(c.subs, func(o *subscription) bool { return o.same(sub) })
	if len(sub.variables) == 0 && !sub.context || sub.context && len(sub.variables) == 0 && old >= 0 {
		if old < 0 {
			c.status(id, refuse("The subscription to remove was not found."))
			return
		}
		c.subs = slices.Delete(c.subs, old, old+1)
		c.status(id, nil)
		return
	}
	result, err := s.result(c, sub, id+answerOff)
	switch {
	case err != nil:
		c.status(id, refuse("Could not add subscription. %s", err.Error()))
	case old < 0 && len(c.subs) >= maxSubscriptions:
		c.status(id, refuse("Could not add subscription. There are %d.", maxSubscriptions))
		return
	default:
		c.status(id, nil)
		if old >= 0 {
			c.subs[old] = sub
		} else {
			c.subs = append(c.subs, sub)
		}
		if sub.context {
			c.latest = sub
		}
	}
	c.out = append(c.out, result...)
}

// readSubscription reads the body of a subscription of either kind.
func readSubscription(id byte, body []byte) (*subscription, error) {
	r := wire.NewReader(body)
	sub := &subscription{dom: id & domainMask, context: id&baseMask == baseContext}
	sub.begin, sub.end, sub.id = r.Double(), r.Double(), r.String()
	if sub.context {
		sub.around, sub.reach = r.Byte(), r.Double()
	}
	for range int(r.Byte()) {
		v := variableRequest{variable: r.Byte()}
		if parametric(sub, v.variable, r) {
			before := r.Left()
			from := body[len(body)-before:]
			r.Skip()
			v.args = from[:before-r.Left()]
		}
		sub.variables = append(sub.variables, v)
	}
	return sub, r.Err()
}

// parametric reports whether a variable has a parameter behind it, in what r reads next.
func parametric(s *subscription, variable byte, r *wire.Reader) bool {
	dom := s.dom
	if s.context {
		dom = s.around & domainMask
	}
	switch variable {
	case varParameter, varParameterKey:
		return true
	case varLeader:
		return dom == domVehicle
	case varLateral:
		kind, _ := r.Peek()
		return dom == domSimulation && kind == wire.StringType
	}
	return false
}

// same reports whether two subscriptions are for the same, so that the new one takes the old one's place.
func (s *subscription) same(o *subscription) bool {
	return s.dom == o.dom && s.id == o.id && s.context == o.context && (!s.context || s.around == o.around)
}

// due reports whether a subscription is for a time, and whether it is over.
func (s *subscription) due(now float64) (due, over bool) {
	due = s.begin == wire.NoDouble || now >= s.begin
	over = s.end != wire.NoDouble && now > s.end
	return due && !over, over
}

// results appends the answer to a step: all subscriptions in the order in which they were made. Those of objects that
// are gone are dropped without a word.
func (s *Server) results(c *client) {
	c.status(cmdStep, nil)
	at := len(c.out)
	c.out = wire.AppendInt(c.out, 0)
	n := 0
	c.subs = slices.DeleteFunc(c.subs, func(sub *subscription) bool {
		due, over := sub.due(s.world.now.Seconds())
		if over || !s.world.there(sub) {
			return true
		}
		if due {
			base := baseAsk
			if sub.context {
				base = baseContext
			}
			result, _ := s.result(c, sub, base+sub.dom+answerOff) // its errors are in it
			c.out = append(c.out, result...)
			n++
		}
		return false
	})
	copy(c.out[at:], wire.AppendInt(nil, n))
}

// there reports whether the object of a subscription is there.
func (w *state) there(s *subscription) bool {
	switch s.dom {
	case domVehicle:
		return s.id == "" || w.byName[s.id] != nil
	case domPerson:
		_, err := w.findPerson(s.id)
		return s.id == "" || err == nil
	case domPOI:
		_, err := w.drawings.findSpot(s.id)
		return s.id == "" || err == nil
	case domPolygon:
		_, err := w.drawings.findPolygon(s.id)
		return s.id == "" || err == nil
	}
	return true
}

// result returns the values of a subscription now, and the first error.
func (s *Server) result(c *client, sub *subscription, id byte) ([]byte, error) {
	if sub.context {
		return s.contextResult(c, sub, id)
	}
	b := append(s.scratch[:0], 0, 0, 0, 0, 0, id)
	b = append(wire.AppendString(b, sub.id), byte(len(sub.variables)))
	b, err := s.values(c, b, sub.dom, sub.id, sub.variables)
	s.scratch = b
	return sized(b), err
}

// sized puts the length into a command in its long form.
func sized(b []byte) []byte {
	copy(b[1:], wire.AppendInt(nil, len(b)))
	return b
}

// values appends variables of an object with their statuses, and returns the first error.
func (s *Server) values(c *client, b []byte, dom byte, id string, list []variableRequest) ([]byte, error) {
	var first error
	for _, v := range list {
		from := len(b)
		b = append(b, v.variable, wire.OK)
		out, err := s.fetch(c, b, dom, id, v.variable, wire.NewReader(v.args))
		if err != nil {
			result, text := resultOf(err)
			b = wire.TypeString(append(b[:from], v.variable, result), text)
			if first == nil {
				first = err
			}
			continue
		}
		b = out
	}
	return b, first
}

// fetch appends a variable in the client's format.
func (s *Server) fetch(c *client, b []byte, dom byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	if dom == domSimulation {
		out, err := s.world.simulationOf(&c.events, b, id, variable, args)
		if errors.Is(err, errVariable) {
			err = refuse("Get Simulation Variable: unsupported variable 0x%02x specified", variable)
		}
		return out, err
	}
	return s.world.fetch(b, dom, id, variable, args)
}

// contextResult returns what is around an object.
func (s *Server) contextResult(c *client, sub *subscription, id byte) ([]byte, error) {
	b := []byte{0, 0, 0, 0, 0, id}
	b = append(wire.AppendString(b, sub.id), sub.around, byte(len(sub.variables)))
	at := len(b)
	b = wire.AppendInt(b, 0)
	if sub.around&baseMask != baseGet {
		return sized(b), refuse("Domain 0x%02x is not known.", sub.around)
	}
	center, around := &s.world.domains[sub.dom], &s.world.domains[sub.around&domainMask]
	if center.at == nil || around.at == nil {
		return sized(b), refuse("Objects of this domain are nowhere.")
	}
	middle, ok := center.at(sub.id)
	if !ok {
		_, err := s.fetch(c, nil, sub.dom, sub.id, varPosition, wire.NewReader(nil))
		if err == nil {
			err = refuse("'%s' is not there yet.", sub.id)
		}
		return sized(b), err
	}
	n := 0
	var first error
	for _, name := range around.ids() {
		p, ok := around.at(name)
		if !ok || !(math.Hypot(p[0]-middle[0], p[1]-middle[1]) <= sub.reach) || !s.world.passes(sub, name, middle, p) {
			continue
		}
		var err error
		b, err = s.values(c, wire.AppendString(b, name), sub.around&domainMask, name, sub.variables)
		if first == nil {
			first = err
		}
		n++
	}
	copy(b[at:], wire.AppendInt(nil, n))
	return sized(b), first
}

// passes reports whether an object passes a context's filters.
func (w *state) passes(s *subscription, name string, middle, at wire.Point) bool {
	if s.kinds != nil {
		r := w.byName[name]
		if r == nil || !slices.Contains(s.kinds, r.kind) {
			return false
		}
	}
	ego := w.byName[s.id]
	if s.vision == 0 || ego == nil || !ego.inserted() || at == middle {
		return true
	}
	v := geom.Vec{X: at[0] - middle[0], Y: at[1] - middle[1]}.Unrotate(geom.Direction(ego.now().Pose.Theta))
	return math.Abs(geom.Angle(v)) <= s.vision*math.Pi/360
}

// Filters of a context subscription.
const (
	filterNone   = 0x00
	filterType   = 0x09
	filterVision = 0x0A
)

// filter adds a filter to the client's latest context subscription.
func (s *Server) filter(c *client, r *wire.Reader) error {
	kind := r.Byte()
	if err := r.Err(); err != nil {
		return err
	}
	if c.latest == nil {
		return refuse("No previous vehicle context subscription exists to apply filter type 0x%02x", kind)
	}
	switch kind {
	case filterNone:
		c.latest.kinds, c.latest.vision = nil, 0
	case filterType:
		kinds := r.TypedStrings()
		if err := require(r, "The filter needs a list of strings."); err != nil {
			return err
		}
		c.latest.kinds = kinds
	case filterVision:
		angle := r.TypedDouble()
		if err := require(r, "The filter needs a double."); err != nil {
			return err
		}
		if !(angle > 0 && angle <= 360) {
			return refuse("Field of vision opening angle %g is not in the range 0 to 360.", angle)
		}
		c.latest.vision = angle
	default:
		return refuse("Filter type 0x%02x is about lanes and junctions, which a world of robots does not have.", kind)
	}
	return nil
}
