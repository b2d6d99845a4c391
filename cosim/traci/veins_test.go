// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// veins does what Veins 5.3.1 does (its TraCIScenarioManager), and fails where it asserts.
type veins struct {
	*peer
	now        time.Duration
	active     int
	subscribed map[string]bool
	removed    map[string]bool
	bounds     [4]float64
}

const veinsEnd = 9223372.036854775807 // SimTime::getMaxTime

// begin is the start sequence.
func (v *veins) begin() {
	c, _, err := wire.Next(v.ok([]byte{2, 0}))
	r := wire.NewReader(c.Body)
	if api := r.Int(); err != nil || c.ID != 0 || api < 15 || api > 21 || r.String() == "" || r.Left() > 0 {
		v.t.Fatalf("version %d, %v", api, r.Err())
	}
	b := v.value(0xab, 0x7c, "sim0")
	if b.Type(wire.Polygon); b.Byte() != 2 {
		v.t.Fatal("bounds are not two corners")
	}
	for i := range v.bounds {
		v.bounds[i] = b.Double()
	}
	if b.Left() > 0 || b.Err() != nil {
		v.t.Fatalf("bounds: %d bytes left, %v", b.Left(), b.Err())
	}
	v.one(v.ok(asking(0xdb, "", 0, veinsEnd, 0x74, 0x7a, 0x66, 0x81, 0x76, 0x78, 0x6d, 0x6f)))
	v.one(v.ok(asking(0xd4, "", 0, veinsEnd, 0x00)))
	for _, id := range v.value(0xa8, 0x00, "").TypedStrings() {
		if kind := v.value(0xa8, 0x4f, id).TypedString(); kind != "building" {
			continue // Veins knows no such obstacle
		}
		if shape := v.value(0xa8, 0x4e, id).TypedPolygon(); len(shape) < 3 {
			v.t.Errorf("obstacle %s has %d corners", id, len(shape))
		}
	}
}

// one processes a single result and wants nothing behind it.
func (v *veins) one(rest []byte) {
	v.t.Helper()
	if more := v.process(rest); len(more) > 0 {
		v.t.Errorf("%d bytes behind the result", len(more))
	}
}

// step asks for a time and processes all results; meanwhile is called when the answer is there.
func (v *veins) step(d time.Duration, meanwhile func()) {
	v.t.Helper()
	v.now += d
	rest := v.ok(step(v.now.Seconds()))
	meanwhile()
	n := wire.NewReader(rest).Int()
	rest = rest[4:]
	for range n {
		rest = v.process(rest)
	}
	if len(rest) > 0 {
		v.t.Errorf("%d bytes behind the results", len(rest))
	}
}

// process takes one subscription's result.
func (v *veins) process(b []byte) (rest []byte) {
	v.t.Helper()
	if b[0] != 0 { // Veins reads an int behind it
		v.t.Fatal("a result is not in the long form")
	}
	c, rest, err := wire.Next(b)
	if err != nil {
		v.t.Fatal(err)
	}
	r := wire.NewReader(c.Body)
	switch id := r.String(); c.ID {
	case 0xeb:
		v.simulation(r)
	case 0xe4:
		v.vehicle(id, r)
	default:
		v.t.Fatalf("result %x", c.ID)
	}
	if r.Left() > 0 || r.Err() != nil {
		v.t.Errorf("result %x: %d bytes left, %v", c.ID, r.Left(), r.Err())
	}
	return rest
}

func (v *veins) simulation(r *wire.Reader) {
	v.t.Helper()
	for range int(r.Byte()) {
		variable, status := r.Byte(), r.Byte()
		if status != wire.OK {
			v.t.Fatalf("variable %x is refused", variable)
		}
		switch variable {
		case 0x74:
			v.active += len(r.TypedStrings())
		case 0x7a:
			for _, id := range r.TypedStrings() {
				delete(v.subscribed, id)
				v.removed[id] = true
				v.active--
			}
		case 0x66:
			if got := r.TypedDouble(); got != v.now.Seconds() {
				v.t.Errorf("time %v, asked for %v", got, v.now.Seconds())
			}
		case 0x81, 0x76, 0x78, 0x6d, 0x6f:
			r.TypedStrings()
		default:
			v.t.Fatalf("unhandled variable %x", variable)
		}
	}
}

func (v *veins) vehicle(id string, r *wire.Reader) {
	v.t.Helper()
	read := 0
	for range int(r.Byte()) {
		variable, status := r.Byte(), r.Byte()
		if status != wire.OK {
			v.t.Fatalf("variable %x of %s is refused", variable, id)
		}
		switch variable {
		case 0x00:
			v.list(r.TypedStrings())
			return
		case 0x42:
			p := r.TypedPoint()
			const margin = 25
			x, y := p[0]-v.bounds[0]+margin, v.bounds[3]-v.bounds[1]-(p[1]-v.bounds[1])+margin
			if !(x >= 0 && y >= 0) {
				v.t.Errorf("%s is at (%g, %g) in OMNeT++", id, x, y)
			}
		case 0x50:
			_ = r.TypedString()
		case 0x5b:
			r.TypedInt()
		case 0x43:
			if a := r.TypedDouble(); !(a >= 0 && a < 360) {
				v.t.Errorf("angle %g", a)
			}
		case 0x40, 0x44, 0xbc, 0x4d:
			if x := r.TypedDouble(); math.IsNaN(x) {
				v.t.Errorf("%x is no number", variable)
			}
		default:
			v.t.Fatalf("unhandled variable %x", variable)
		}
		read++
	}
	if read != 8 {
		v.t.Errorf("%d of 8 variables of %s", read, id)
	}
	if !v.subscribed[id] {
		v.t.Errorf("a result of %s, which is not subscribed", id)
	}
}

// list compares the list of vehicles with what departed and arrived, and subscribes to new ones.
func (v *veins) list(ids []string) {
	v.t.Helper()
	if len(ids) != v.active {
		v.t.Errorf("%d vehicles are listed, %d are active", len(ids), v.active)
	}
	for _, id := range ids {
		if v.subscribed[id] {
			continue
		}
		v.subscribed[id] = true
		v.one(v.ok(asking(0xd4, id, 0, veinsEnd, 0x42, 0x50, 0x40, 0x43, 0x5b, 0x44, 0xbc, 0x4d)))
		if kind := v.value(0xa4, 0x4f, id).TypedString(); kind == "" {
			v.t.Errorf("%s has no type", id)
		}
	}
}

// Veins' start sequence, its steps, robots that come and go by another client: each of its assertions holds.
func TestVeins(t *testing.T) {
	g := serve(t, town, func(c *traci.Config) { c.Clients = 2 })
	other := g.connect()
	v := &veins{peer: g.connect(), subscribed: map[string]bool{}, removed: map[string]bool{}}
	other.ok(order(1)) // its commands are obeyed before those of Veins
	v.ok(order(2))
	other.send(step(1))
	v.begin()
	for i := range 5 {
		v.step(time.Second, func() {
			other.receive()
			switch i {
			case 1:
				other.ok(get(0xc4, 0x85, "late", vehicle("", "e-puck2")...))
			case 3:
				other.ok(get(0xc4, 0x81, "a", small(3)...))
			case 4:
				other.ok(closing())
				return
			}
			other.send(step(v.now.Seconds() + 1))
		})
	}
	if len(v.subscribed) != 2 || !v.subscribed["late"] || !v.removed["a"] || v.active != 2 {
		t.Errorf("Veins knows %v, %d are active", v.subscribed, v.active)
	}
	v.ok(closing())
	g.over()
}

// Alone, with the default interval of a tenth of a second and robots that it commands itself.
func TestVeinsAlone(t *testing.T) {
	g := serve(t, town, nil)
	v := &veins{peer: g.connect(), subscribed: map[string]bool{}, removed: map[string]bool{}}
	v.begin()
	for range 30 {
		v.step(100*time.Millisecond, func() {})
	}
	v.ok(get(0xc4, 0x40, "a", dbl(0.1)...))
	v.step(100*time.Millisecond, func() {})
	v.ok(closing())
	g.over()
}
