// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// asking is a subscription to variables of an object, for a time.
func asking(command byte, object string, begin, end float64, variables ...byte) []byte {
	b := wire.AppendString(wire.AppendDouble(wire.AppendDouble(nil, begin), end), object)
	return wire.AppendCommand(nil, command, append(append(b, byte(len(variables))), variables...), false)
}

// around is a context subscription.
func around(command byte, object string, domain byte, reach float64, variables ...byte) []byte {
	b := wire.AppendString(wire.AppendDouble(wire.AppendDouble(nil, wire.NoDouble), wire.NoDouble), object)
	b = wire.AppendDouble(append(b, domain), reach)
	return wire.AppendCommand(nil, command, append(append(b, byte(len(variables))), variables...), false)
}

// results reads the answer to a step: of each subscription the command and the object, and its whole body.
func results(t *testing.T, rest []byte) (names []string, bodies []*wire.Reader) {
	t.Helper()
	head := wire.NewReader(rest)
	n := head.Int()
	rest = rest[4:]
	for range n {
		c, more, err := wire.Next(rest)
		if err != nil {
			t.Fatal(err)
		}
		rest = more
		r := wire.NewReader(c.Body)
		names, bodies = append(names, string(rune(c.ID))+r.String()), append(bodies, r)
	}
	if len(rest) > 0 {
		t.Errorf("%d bytes behind the results", len(rest))
	}
	return names, bodies
}

// named returns the object of a context's result, in their order.
func named(t *testing.T, r *wire.Reader) (names []string) {
	t.Helper()
	r.Byte()
	variables := int(r.Byte())
	for range r.Int() {
		names = append(names, r.String())
		for range variables {
			r.Byte()
			if status := r.Byte(); status != wire.OK {
				t.Errorf("status %d of %s", status, names[len(names)-1])
			}
			r.Skip()
		}
	}
	if r.Err() != nil || r.Left() > 0 {
		t.Errorf("%v, %d bytes left", r.Err(), r.Left())
	}
	return names
}

// Results come in the order of subscribing; a new subscription for the same takes the old one's place; those of objects
// that have gone vanish.
func TestSubscriptions(t *testing.T) {
	p := serve(t, town, nil).connect()
	const no = wire.NoDouble
	p.ok(step(0))
	p.ok(asking(0xd4, "b", no, no, 0x42))
	for _, c := range []struct {
		command []byte
		text    string
	}{
		{asking(0xd4, "a", no, no, 0x42, 0x40), ""},
		{asking(0xdb, "", 0.3, 0.4, 0x66), ""},
		{asking(0xd8, "crate", no, no, 0x4e), ""},
		{asking(0xd7, "lamp", no, no, 0x42), ""},
		{asking(0xd4, "b", no, no, 0x43), ""},
		{asking(0xd4, "nope", no, no, 0x42, 0x40), "Could not add subscription. Vehicle 'nope' is not known."},
		{asking(0xd4, "a", no, no, 0x42, 0xee), "Could not add subscription. Get Vehicle Variable: unsupported variable 0xee specified"},
		{asking(0xd4, "nope", no, no), "The subscription to remove was not found."},
		{asking(0xdb, "x", no, no, 0xee), "Get Simulation Variable: unsupported variable 0xee specified"},
	} {
		result, text, _ := p.status(c.command)
		if (result != wire.OK) != (c.text != "") || !strings.Contains(text, c.text) {
			t.Errorf("%x: %d %q, want %q", c.command, result, text, c.text)
		}
	}
	want := [][]string{
		{"\u00e4b", "\u00e4a", "\u00e8crate", "\u00e7lamp"},                // 0.2 s
		{"\u00e4b", "\u00e4a", "\u00ebbegun", "\u00e8crate", "\u00e7lamp"}, // 0.3
		{"\u00e4b", "\u00e4a", "\u00ebbegun", "\u00e8crate", "\u00e7lamp"}, // 0.4
		{"\u00e4b", "\u00e4a", "\u00e8crate", "\u00e7lamp"},                // 0.5
	}
	for i := range want {
		got, _ := results(t, p.ok(step(0)))
		for k := range got {
			if got[k] == "\u00eb" {
				got[k] = "\u00ebbegun"
			}
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("step %d: %q, want %q", i, got, want[i])
		}
	}
	p.ok(get(0xc4, 0x81, "a", small(3)...))
	p.ok(asking(0xd7, "lamp", no, no))
	if got, _ := results(t, p.ok(step(0))); !slices.Equal(got, []string{"\u00e4b", "\u00e8crate"}) {
		t.Errorf("a has gone, the lamp was taken off: %q", got)
	}
}

// A subscription for a parameter has the parameter in it.
func TestSubscriptionWithParameter(t *testing.T) {
	p := serve(t, town, nil).connect()
	p.ok(step(0))
	b := wire.AppendString(wire.AppendDouble(wire.AppendDouble(nil, wire.NoDouble), wire.NoDouble), "a")
	b = append(append(b, 3, 0x7e), txt("level")...)
	b = append(append(b, 0x68), dbl(0)...)
	p.ok(wire.AppendCommand(nil, 0xd4, append(b, 0x42), false))
	_, bodies := results(t, p.ok(step(0)))
	r := bodies[0]
	if n, v, ok := r.Byte(), r.Byte(), r.Byte(); n != 3 || v != 0x7e || ok != wire.OK || r.TypedString() != "functional" {
		t.Errorf("%d variables, %x, %d, %v", n, v, ok, r.Err())
	}
	if v, ok := r.Byte(), r.Byte(); v != 0x68 || ok != wire.OK || r.TypedCompound() != 2 || r.TypedString() != "" || r.TypedDouble() != -1 {
		t.Errorf("leader: %x, %d, %v", v, ok, r.Err())
	}
}

// A context has what is near in it, and its filters leave some of that out.
func TestContexts(t *testing.T) {
	p := serve(t, town, nil).connect()
	p.ok(get(0xc4, 0x85, "near", vehicle("", "e-puck2/functional")...))
	p.ok(get(0xc4, 0xb4, "near", moved(0.5, 0.8, 0)...)) // to the left of a
	p.ok(get(0xc4, 0x85, "ahead", vehicle("", "e-puck2")...))
	p.ok(get(0xc4, 0xb4, "ahead", moved(0.9, 0.5, 0)...))
	p.ok(get(0xce, 0x80, "ann", human("DEFAULT_PEDTYPE", "town", -3, 0.9)...))
	p.ok(step(0))
	context := func() []string {
		_, bodies := results(t, p.ok(step(0)))
		return named(t, bodies[0])
	}
	want := func(what string, names ...string) {
		t.Helper()
		if got := context(); !slices.Equal(got, names) {
			t.Errorf("%s: %q, want %q", what, got, names)
		}
	}
	filter := func(kind byte, args ...byte) []byte {
		return wire.AppendCommand(nil, 0x7e, append([]byte{kind}, args...), false)
	}
	p.ok(around(0x84, "a", 0xa4, 0.45, 0x42, 0x40))
	want("0.45 m around a", "near", "ahead", "a")
	p.ok(filter(0x0a, dbl(90)...))
	want("before it", "ahead", "a")
	p.ok(filter(0x00))
	want("no filter", "near", "ahead", "a")
	p.ok(filter(0x09, lst("e-puck2/functional")...))
	want("of a type", "near")
	for _, c := range []struct {
		command []byte
		text    string
	}{
		{filter(0x01, 1, 0), "is about lanes and junctions"},
		{filter(0x0a, dbl(0)...), "not in the range 0 to 360"},
		{filter(0x0a, num(90)...), "needs a double"},
		{filter(0x09, num(90)...), "needs a list of strings"},
		{around(0x84, "nope", 0xa4, 1, 0x42), "Vehicle 'nope' is not known."},
		{around(0x84, "a", 0xab, 1, 0x66), "Objects of this domain are nowhere."},
		{around(0x8b, "", 0xa4, 1, 0x42), "Objects of this domain are nowhere."},
		{around(0x84, "a", 0x07, 1, 0x42), "Domain 0x07 is not known."},
		{around(0x84, "a", 0xa4, 9, 0xee), "Get Vehicle Variable: unsupported variable 0xee specified"},
	} {
		if result, text, _ := p.status(c.command); result == wire.OK || !strings.Contains(text, c.text) {
			t.Errorf("%x: %d %q, want %q", c.command, result, text, c.text)
		}
	}
	p.ok(around(0x84, "a", 0xa4, 0.45))
	p.ok(around(0x84, "a", 0xae, 0.7, 0x42))
	want("persons near a", "ann")
	p.ok(around(0x84, "a", 0xae, 0.7))
	p.ok(around(0x8e, "ann", 0xa4, 0.51, 0x42))
	want("robots near ann", "near", "ahead")
	p.ok(around(0x8e, "ann", 0xa4, 0.51))
	p.ok(around(0x84, "a", 0xa7, 2, 0x42, 0x4f))
	want("lamps near a", "lamp")
	p.ok(around(0x84, "a", 0xa7, 2))
	p.ok(around(0x88, "crate", 0xa4, 3, 0x42))
	want("robots near the crate", "near", "ahead", "a", "b")
}
