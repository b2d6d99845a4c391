// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// Short names for what follows an object in a command.
func dbl(v float64) []byte      { return wire.TypeDouble(nil, v) }
func num(v int) []byte          { return wire.TypeInt(nil, v) }
func txt(s string) []byte       { return wire.TypeString(nil, s) }
func lst(s ...string) []byte    { return wire.TypeStrings(nil, s) }
func small(v byte) []byte       { return []byte{wire.Byte, v} }
func unsigned(v byte) []byte    { return []byte{wire.UnsignedB, v} }
func place(x, y float64) []byte { return wire.TypePoint(nil, wire.Point{x, y}) }
func col(c ...byte) []byte      { return wire.TypeColour(nil, wire.Colour(c)) }

func poly(v ...float64) []byte {
	var shape []wire.Point
	for i := 0; i < len(v); i += 2 {
		shape = append(shape, wire.Point{v[i], v[i+1]})
	}
	return wire.TypePolygon(nil, shape)
}

// cmp is a compound of items.
func compound(items ...[]byte) []byte {
	b := wire.TypeCompound(nil, len(items))
	for _, item := range items {
		b = append(b, item...)
	}
	return b
}

// vehicle is what SUMO's client sends to add one.
func vehicle(route, kind string) []byte {
	return compound(txt(route), txt(kind), txt("now"), txt("first"), txt("base"), txt("0"), txt("current"), txt("max"),
		txt("current"), txt(""), txt(""), txt(""), num(0), num(0))
}

func moved(x, y, angle float64) []byte {
	return compound(txt(""), num(-1), dbl(x), dbl(y), dbl(angle), small(2), dbl(100))
}

func personMoved(x, y, angle float64) []byte {
	return compound(txt(""), dbl(x), dbl(y), dbl(angle), small(2), dbl(100))
}

func human(kind, edge string, depart, pos float64) []byte {
	return compound(txt(kind), txt(edge), dbl(depart), dbl(pos))
}

func drawn() []byte {
	return compound(txt("zone"), col(1, 2, 3, 4), unsigned(1), num(0), poly(0, 0, 1, 0, 1, 1), dbl(1))
}

func goal() []byte {
	return compound(txt("goal"), col(1, 2, 3, 4), num(0), place(3, 1), txt("image"), dbl(1), dbl(2), dbl(3))
}

// TestArticulatedRobotsAreVehicles: a robot with a model is listed, driven and coloured as the others are. Its type is
// the name of its model, with the size of its body.
func TestArticulatedRobotsAreVehicles(t *testing.T) {
	g := serve(t, town+"  - {name: k, model: khepera4, position: [1.5, 1]}\n", nil)
	p := g.connect()
	p.ok(step(0))
	solids, _ := g.sim.Robots()[2].Outline()
	length := 2 * solids[0].Reach() // a Khepera IV is one disc
	check(t, p, []row{
		{0xa4, 0x00, "", nil, lst("a", "b", "k"), ""},
		{0xa4, 0x42, "k", nil, place(1.5, 1), ""},
		{0xa4, 0x43, "k", nil, dbl(90), ""},
		{0xa4, 0x4f, "k", nil, txt("khepera4"), ""},
		{0xa4, 0x4f, "a", nil, txt("e-puck2"), ""},
		{0xa4, 0x44, "k", nil, dbl(length), ""},
		{0xa5, 0x44, "khepera4", nil, dbl(length), ""},
		{0xa5, 0x44, "e-puck2", nil, dbl(0.074), ""},
		{0xc4, 0x40, "k", dbl(0.1), nil, ""},
		{0xc4, 0x45, "k", col(255, 0, 0, 255), nil, ""},
	})
	p.ok(step(2))
	if v := g.sim.Robots()[2].GroundTruth().V; math.Abs(v-0.1) > 0.01 {
		t.Errorf("driven at %g m/s to %v", v, g.sim.Robots()[2].Pose())
	}
	check(t, p, []row{
		{0xa4, 0x45, "k", nil, col(255, 0, 0, 255), ""},
		{0xc4, 0xb4, "k", moved(2, 1.5, 180), nil, ""},
		{0xa4, 0x42, "k", nil, place(2, 1.5), ""},
	})
	if x := g.sim.Robots()[2].Pose().X; x != 2 {
		t.Errorf("moved to %g", x)
	}
}

// row is a question or a change, and what is answered: a refusal's text, or the value; nothing is a success. A number
// is compared as it is written, * is any value of that type.
type row struct {
	command  byte
	variable byte
	object   string
	args     []byte
	value    []byte
	refused  string
}

func check(t *testing.T, p *peer, rows []row) {
	t.Helper()
	for _, r := range rows {
		result, text, rest := p.status(get(r.command, r.variable, r.object, r.args...))
		if (result != wire.OK) != (r.refused != "") || !strings.Contains(text, r.refused) {
			t.Errorf("%02x %02x %q %x: result %d %q, want %q", r.command, r.variable, r.object, r.args, result, text, r.refused)
			continue
		}
		if r.value == nil {
			continue
		}
		c, _, err := wire.Next(rest)
		body := wire.NewReader(c.Body)
		if err != nil || c.ID != r.command+0x10 || body.Byte() != r.variable || body.String() != r.object {
			t.Errorf("%02x %02x %q: answer %x, %v", r.command, r.variable, r.object, c.Body, err)
			continue
		}
		got := c.Body[len(c.Body)-body.Left():]
		if want := r.value; hex.EncodeToString(got) != hex.EncodeToString(want) && !(len(want) == 1 && len(got) > 0 && got[0] == want[0]) {
			t.Errorf("%02x %02x %q: %x, want %x", r.command, r.variable, r.object, got, want)
		}
	}
}

var anyDouble, anyString = []byte{wire.DoubleType}, []byte{wire.StringType}

// Every variable of a vehicle has SUMO's type, and what can't be is refused in SUMO's words.
func TestVehicles(t *testing.T) {
	p := serve(t, town, nil).connect()
	nowhere := place(wire.NoDouble, wire.NoDouble)
	none := dbl(wire.NoDouble)
	check(t, p, []row{
		{0xa4, 0x00, "", nil, lst(), ""},
		{0xa4, 0x01, "", nil, num(0), ""},
		{0xa4, 0x42, "a", nil, place(0.5, 0.5), ""}, // known, not departed
		{0xc4, 0x85, "late", vehicle("", "e-puck2/functional"), nil, ""},
		{0xa4, 0x42, "late", nil, nowhere, ""},
		{0xa4, 0x40, "late", nil, none, ""},
		{0xa4, 0x43, "late", nil, none, ""},
		{0xa4, 0x5b, "late", nil, num(0), ""},
		{0xab, 0x94, "", nil, lst("late"), ""},
		{0xab, 0x7d, "", nil, num(3), ""},
		{0xab, 0x72, "", nil, lst("late"), ""},
		{0xc4, 0xb4, "late", moved(2, 0.5, 180), nil, ""},
		{0xc4, 0x45, "late", col(255, 0, 0, 255), nil, ""},
		{0xc4, 0x85, "gone", vehicle("town", "DEFAULT_VEHTYPE"), nil, ""},
		{0xc4, 0x81, "gone", small(3), nil, ""},
		{0xa4, 0x42, "gone", nil, nil, "Vehicle 'gone' is not known."},
	})
	p.ok(step(0))
	check(t, p, []row{
		{0xa4, 0x00, "", nil, lst("late", "a", "b"), ""},
		{0xa4, 0x01, "", nil, num(3), ""},
		{0xa4, 0x42, "late", nil, place(2, 0.5), ""},
		{0xa4, 0x39, "late", nil, wire.TypePoint3(nil, wire.Point{2, 0.5}, 0), ""},
		{0xa4, 0x43, "late", nil, dbl(180), ""},
		{0xa4, 0x43, "b", nil, dbl(0), ""},
		{0xa4, 0x45, "late", nil, col(255, 0, 0, 255), ""},
		{0xa4, 0x5b, "late", nil, num(1 | 2 | 8 | 16), ""},
		{0xa4, 0x5b, "a", nil, num(0), ""},
		{0xa4, 0x40, "late", nil, dbl(0), ""},
		{0xa4, 0x41, "late", nil, anyDouble, ""},
		{0xa4, 0x44, "late", nil, dbl(0.074), ""},
		{0xa4, 0x4d, "late", nil, dbl(0.074), ""},
		{0xa4, 0xbc, "late", nil, dbl(0.05), ""},
		{0xa4, 0x4f, "late", nil, txt("e-puck2/functional"), ""},
		{0xa4, 0x4f, "a", nil, txt("e-puck2"), ""},
		{0xa4, 0x50, "late", nil, txt("town"), ""},
		{0xa4, 0x51, "late", nil, txt("town_0"), ""},
		{0xa4, 0x52, "late", nil, num(0), ""},
		{0xa4, 0x53, "late", nil, txt("town"), ""},
		{0xa4, 0x54, "late", nil, lst("town"), ""},
		{0xa4, 0x56, "late", nil, dbl(2), ""},
		{0xa4, 0x36, "late", nil, dbl(0), ""},
		{0xa4, 0x32, "late", nil, dbl(0), ""},
		{0xa4, 0x72, "late", nil, dbl(0), ""},
		{0xa4, 0x73, "late", nil, compound(num(0)), ""},
		{0xa4, 0x7a, "late", nil, dbl(0.1), ""},
		{0xa4, 0x84, "late", nil, dbl(0), ""},
		{0xa4, 0xb5, "late", nil, num(0), ""},
		{0xa4, 0x46, "late", nil, anyDouble, ""},
		{0xa4, 0x68, "late", dbl(0), compound(txt(""), dbl(-1)), ""},
		{0xa4, 0x68, "late", num(0), nil, "Leader retrieval requires a double."},
		{0xa4, 0xee, "late", nil, nil, "Get Vehicle Variable: unsupported variable 0xee specified"},
		{0xa4, 0x42, "nope", nil, nil, "Vehicle 'nope' is not known."},
		{0xc4, 0xee, "late", num(0), nil, "Change Vehicle State: unsupported variable 0xee specified"},
		{0xc4, 0x40, "nope", dbl(1), nil, "Vehicle 'nope' is not known"},
		{0xc4, 0x40, "a", num(0), nil, "Setting speed requires a double."},
		{0xc4, 0x40, "a", dbl(nan), nil, "Invalid speed."},
		{0xc4, 0x41, "a", num(0), nil, "Setting maximum speed requires a double."},
		{0xc4, 0x41, "a", dbl(-5), nil, "Invalid maximum speed."},
		{0xc4, 0x45, "a", num(0), nil, "The color must be given using the according type."},
		{0xc4, 0x14, "a", num(0), nil, "Slow down needs a compound object description."},
		{0xc4, 0x14, "a", compound(num(0), num(0), num(0)), nil, "Slow down needs a compound object description of two items."},
		{0xc4, 0x14, "a", compound(num(0), dbl(0)), nil, "The first slow down parameter"},
		{0xc4, 0x14, "a", compound(dbl(0), num(0)), nil, "The second slow down parameter"},
		{0xc4, 0x14, "a", compound(dbl(-1), dbl(0)), nil, "Speed must not be negative"},
		{0xc4, 0x14, "a", compound(dbl(1), dbl(-1)), nil, "Invalid time interval"},
		{0xc4, 0x72, "a", num(0), nil, "Setting acceleration requires 2 parameters as compound object description."},
		{0xc4, 0x72, "a", compound(num(0), num(0)), nil, "Setting acceleration requires"},
		{0xc4, 0x12, "a", num(0), nil, "Stop needs a compound object description."},
		{0xc4, 0x12, "a", compound(num(0)), nil, "Stop needs a compound object description of four to seven items."},
		{0xc4, 0x12, "a", compound(num(0), num(0), num(0), num(0)), nil, "Stop needs an edge"},
		{0xc4, 0x12, "a", compound(txt("road"), dbl(0), small(0), dbl(1)), nil, "only edge 'town'"},
		{0xc4, 0x19, "a", num(0), nil, "Resuming requires a compound object."},
		{0xc4, 0x19, "a", compound(), nil, "it has no stops"},
		{0xc4, 0x7e, "a", num(0), nil, "A compound object is needed for setting a parameter."},
		{0xc4, 0x7e, "a", compound(num(0), txt("")), nil, "The name of the parameter must be given as a string."},
		{0xc4, 0x7e, "a", compound(txt("k"), num(0)), nil, "The value of the parameter must be given as a string."},
		{0xc4, 0x7e, "a", compound(txt("ps0"), txt("1")), nil, "is what it measures"},
		{0xc4, 0xb4, "a", num(0), nil, "MoveToXY vehicle requires a compound object."},
		{0xc4, 0xb4, "a", compound(num(0)), nil, "MoveToXY vehicle should obtain"},
		{0xc4, 0xb4, "a", compound(num(0), num(0), num(0), num(0), num(0), num(0)), nil, "MoveToXY vehicle requires a string"},
		{0xc4, 0xb4, "a", moved(2, 0.5, 0), nil, "occupied"},
		{0xc4, 0xb4, "a", moved(3, 1, 0), nil, "occupied"},
		{0xc4, 0xb4, "a", moved(nan, 1, 0), nil, "out of range"},
		{0xc4, 0x81, "a", num(0), nil, "Removing a vehicle requires a byte."},
		{0xc4, 0x85, "a", num(0), nil, "Adding a vehicle requires a compound object."},
		{0xc4, 0x85, "n", compound(num(0)), nil, "fourteen parameters"},
		{0xc4, 0x80, "n", compound(num(0)), nil, "six parameters"},
		{0xc4, 0x85, "a", vehicle("town", "e-puck2"), nil, "The vehicle 'a' to add already exists."},
		{0xc4, 0x85, "crate", vehicle("town", "e-puck2"), nil, "has the name of something else"},
		{0xc4, 0x85, "n", vehicle("nope", "e-puck2"), nil, "Invalid route 'nope' for vehicle 'n'."},
		{0xc4, 0x85, "n", vehicle("town", "car"), nil, "Invalid type 'car' for vehicle 'n'."},
		{0xc4, 0x85, "0n", vehicle("town", "e-puck2"), nil, "Invalid id '0n'"},
		{0xc4, 0x85, "", vehicle("town", "e-puck2"), nil, "Invalid id ''"},
		{0xc4, 0x13, "a", num(0), nil, "Lane change needs a compound object description."},
		{0xc4, 0x13, "a", compound(small(1), dbl(1)), nil, "No lane with index '1' on edge 'town'."},
		{0xc4, 0x13, "a", compound(small(0), dbl(1)), nil, ""},
		{0xc4, 0x31, "a", txt("road"), nil, "Unknown edge 'road' in route."},
		{0xc4, 0x31, "a", txt("town"), nil, ""},
		{0xc4, 0x31, "a", num(1), nil, "Change target requires a string"},
		{0xc4, 0x57, "a", lst("town"), nil, ""},
		{0xc4, 0x57, "a", lst("town", "road"), nil, "Unknown edge 'road' in route."},
		{0xc4, 0x57, "a", num(0), nil, "A route must be defined as a list of edge ids."},
		{0xc4, 0x53, "a", txt("town"), nil, ""},
		{0xc4, 0x53, "a", txt("road"), nil, "The route 'road' is not known."},
		{0xc4, 0x53, "a", num(0), nil, "The route id must be given as a string."},
		{0xc4, 0x40, "a", dbl(-5), nil, ""},
		{0xc4, 0x81, "late", small(3), nil, ""},
		{0xa4, 0x00, "", nil, lst("a", "b"), ""},
	})
}

// A robot can be asked for what it measures, and takes notes of anything else.
func TestParameters(t *testing.T) {
	p := serve(t, town, nil).connect()
	p.ok(step(0))
	note := func(k, v string) []byte { return compound(txt(k), txt(v)) }
	check(t, p, []row{
		{0xa4, 0x7e, "a", txt("abc"), txt(""), ""},
		{0xa4, 0x3e, "a", txt("abc"), compound(txt("abc"), txt("")), ""},
		{0xc4, 0x7e, "a", note("abc", "1"), nil, ""},
		{0xa4, 0x7e, "a", txt("abc"), txt("1"), ""},
		{0xa4, 0x3e, "a", txt("abc"), compound(txt("abc"), txt("1")), ""},
		{0xa4, 0x7e, "b", txt("abc"), txt(""), ""},
		{0xa4, 0x7e, "a", num(1), nil, "Retrieval of a parameter requires its name."},
		{0xa4, 0x7e, "a", txt("level"), txt("functional"), ""},
		{0xa4, 0x7e, "b", txt("level"), txt("firmware"), ""},
		{0xa4, 0x7e, "a", txt("ps0"), anyString, ""},
		{0xa4, 0x7e, "a", txt("ps7"), anyString, ""},
		{0xa4, 0x7e, "a", txt("ps8"), nil, "has no sensor 'ps8'"},
		{0xa4, 0x7e, "a", txt("ps"), nil, "has no sensor 'ps'"},
		{0xa4, 0x7e, "b", txt("ps0"), nil, "its sensors are on its bus"},
		{0xa4, 0x7e, "a", txt("tof"), anyString, ""},
		{0xa4, 0x7e, "a", txt("ground2"), anyString, ""},
		{0xa4, 0x7e, "a", txt("charge"), anyString, ""},
		{0xa4, 0x7e, "a", txt("yaw"), txt("0"), ""},
		{0xa4, 0x7e, "a", txt("omega"), txt("0"), ""},
		{0xa4, 0x7e, "a", txt("wheel0"), txt("0"), ""},
		{0xa4, 0x7e, "a", txt("wheel1"), txt("0"), ""},
		{0xa4, 0x7e, "a", txt("voltage"), anyString, ""},
		{0xa4, 0x7e, "a", txt("collisions"), txt("0"), ""},
		{0xcb, 0x7e, "", note("k", "v"), nil, ""},
		{0xab, 0x7e, "", txt("k"), txt("v"), ""},
		{0xca, 0x7e, "town", note("k", "e"), nil, ""},
		{0xaa, 0x7e, "town", txt("k"), txt("e"), ""},
		{0xca, 0x7e, "road", note("k", "e"), nil, "Edge 'road' is not known"},
		{0xc5, 0x7e, "e-puck2", note("k", "t"), nil, ""},
		{0xa5, 0x7e, "e-puck2", txt("k"), txt("t"), ""},
		{0xc5, 0x7e, "car", note("k", "t"), nil, "Vehicle type 'car' is not known"},
		{0xc6, 0x7e, "town", note("k", "r"), nil, ""},
		{0xa6, 0x7e, "town", txt("k"), txt("r"), ""},
		{0xc8, 0x7e, "crate", note("k", "p"), nil, ""},
		{0xa8, 0x7e, "crate", txt("k"), txt("p"), ""},
		{0xc7, 0x7e, "lamp", note("k", "l"), nil, ""},
		{0xa7, 0x7e, "lamp", txt("k"), txt("l"), ""},
		{0xc4, 0x7e, "a", note("big", strings.Repeat("x", 1<<16)), nil, "at most"},
	})
}

// Polygons are the world's things and clients' drawings, points of interest its lamps and clients' marks.
func TestPolygonsAndPoints(t *testing.T) {
	p := serve(t, town, nil).connect()
	bare := compound(txt("t"), col(1, 2, 3, 4), num(0), place(0, 0))
	check(t, p, []row{
		{0xa8, 0x00, "", nil, lst("crate", "cylinder0", "arena"), ""},
		{0xa8, 0x01, "", nil, num(3), ""},
		{0xa8, 0x4f, "crate", nil, txt("building"), ""},
		{0xa8, 0x4f, "arena", nil, txt("arena"), ""},
		{0xa8, 0x4e, "arena", nil, poly(0, 0, 4, 0, 4, 2, 0, 2, 0, 0), ""},
		{0xa8, 0x55, "arena", nil, num(0), ""},
		{0xa8, 0x55, "crate", nil, num(1), ""},
		{0xa8, 0x4d, "crate", nil, dbl(0), ""},
		{0xa8, 0x45, "crate", nil, []byte{wire.ColourType}, ""},
		{0xa8, 0x4e, "q", nil, nil, "Polygon 'q' is not known"},
		{0xa8, 0x42, "crate", nil, nil, "Get Polygon Variable: unsupported variable 0x42 specified"},
		{0xc8, 0x81, "crate", num(0), nil, "Could not remove polygon 'crate'"},
		{0xc8, 0x4e, "crate", poly(0, 0, 1, 1), nil, "is a thing of the world"},
		{0xc8, 0x4e, "q", poly(0, 0, 1, 1), nil, "Polygon 'q' is not known"},
		{0xc8, 0xee, "crate", num(0), nil, "Change Polygon State: unsupported variable 0xee specified"},
		{0xc8, 0x80, "p", num(0), nil, "A compound object is needed for setting a new polygon."},
		{0xc8, 0x80, "p", compound(num(0)), nil, "Adding a polygon needs five to six parameters."},
		{0xc8, 0x80, "p", compound(num(0), num(0), num(0), num(0), num(0)), nil, "A polygon needs a type"},
		{0xc8, 0x80, "p", drawn(), nil, ""},
		{0xc8, 0x80, "p", drawn(), nil, "Could not add polygon 'p'"},
		{0xc8, 0x80, "crate", drawn(), nil, "Could not add polygon 'crate'"},
		{0xa8, 0x4e, "p", nil, poly(0, 0, 1, 0, 1, 1), ""},
		{0xa8, 0x4f, "p", nil, txt("zone"), ""},
		{0xa8, 0x45, "p", nil, col(1, 2, 3, 4), ""},
		{0xa8, 0x55, "p", nil, num(1), ""},
		{0xa8, 0x4d, "p", nil, dbl(1), ""},
		{0xc8, 0x4e, "p", poly(5, 5, 6, 6), nil, ""},
		{0xc8, 0x4e, "p", num(0), nil, "The shape must be given"},
		{0xc8, 0x4f, "p", txt("x"), nil, ""},
		{0xc8, 0x4f, "p", num(0), nil, "The type must be given as a string."},
		{0xc8, 0x45, "p", col(9, 8, 7, 6), nil, ""},
		{0xc8, 0x45, "p", num(0), nil, "The color must be given"},
		{0xc8, 0x55, "p", num(0), nil, ""},
		{0xc8, 0x55, "p", dbl(0), nil, "'fill' must be defined using an integer."},
		{0xc8, 0x4d, "p", dbl(2), nil, ""},
		{0xc8, 0x4d, "p", num(2), nil, "The line width must be given as a double."},
		{0xa8, 0x4e, "p", nil, poly(5, 5, 6, 6), ""},
		{0xa8, 0x4f, "p", nil, txt("x"), ""},
		{0xa8, 0x45, "p", nil, col(9, 8, 7, 6), ""},
		{0xa8, 0x55, "p", nil, num(0), ""},
		{0xa8, 0x4d, "p", nil, dbl(2), ""},
		{0xc8, 0x81, "p", dbl(0), nil, "The layer must be given using an int."},
		{0xc8, 0x81, "p", num(0), nil, ""},
		{0xc8, 0x81, "p", num(0), nil, "Could not remove polygon 'p'"},

		{0xa7, 0x00, "", nil, lst("lamp"), ""},
		{0xa7, 0x42, "lamp", nil, place(1, 1), ""},
		{0xa7, 0x39, "lamp", nil, wire.TypePoint3(nil, wire.Point{1, 1}, 0.5), ""},
		{0xa7, 0x4f, "lamp", nil, txt("lamp"), ""},
		{0xc7, 0x42, "lamp", place(1.5, 1), nil, ""},
		{0xa7, 0x42, "lamp", nil, place(1.5, 1), ""},
		{0xc7, 0x42, "lamp", num(0), nil, "The position must be given"},
		{0xc7, 0x4f, "lamp", txt("x"), nil, "can only be moved"},
		{0xa7, 0x42, "q", nil, nil, "POI 'q' is not known"},
		{0xa7, 0xee, "lamp", nil, nil, "Get PoI Variable: unsupported variable 0xee specified"},
		{0xc7, 0xee, "lamp", num(0), nil, "Change PoI State: unsupported variable 0xee specified"},
		{0xc7, 0x80, "g", num(0), nil, "A compound object is needed for setting a new PoI."},
		{0xc7, 0x80, "g", compound(num(0)), nil, "Adding a PoI requires"},
		{0xc7, 0x80, "g", compound(num(0), num(0), num(0), num(0)), nil, "A PoI needs a type"},
		{0xc7, 0x80, "g", goal(), nil, ""},
		{0xc7, 0x80, "h", bare, nil, ""},
		{0xc7, 0x80, "g", goal(), nil, "Could not add PoI."},
		{0xa7, 0x00, "", nil, lst("lamp", "g", "h"), ""},
		{0xa7, 0x42, "g", nil, place(3, 1), ""},
		{0xa7, 0x45, "g", nil, col(1, 2, 3, 4), ""},
		{0xa7, 0x93, "g", nil, txt("image"), ""},
		{0xa7, 0x4d, "g", nil, dbl(1), ""},
		{0xa7, 0xbc, "g", nil, dbl(2), ""},
		{0xa7, 0x43, "g", nil, dbl(3), ""},
		{0xc7, 0x42, "g", place(7, 8), nil, ""},
		{0xc7, 0x4f, "g", txt("y"), nil, ""},
		{0xc7, 0x45, "g", col(4, 3, 2, 1), nil, ""},
		{0xc7, 0x43, "g", dbl(30), nil, ""},
		{0xc7, 0x4d, "g", dbl(40), nil, ""},
		{0xc7, 0xbc, "g", dbl(50), nil, ""},
		{0xc7, 0x93, "g", txt("i"), nil, ""},
		{0xc7, 0x93, "g", num(1), nil, "must be given as a string"},
		{0xa7, 0x42, "g", nil, place(7, 8), ""},
		{0xa7, 0x4f, "g", nil, txt("y"), ""},
		{0xa7, 0x45, "g", nil, col(4, 3, 2, 1), ""},
		{0xa7, 0x43, "g", nil, dbl(30), ""},
		{0xa7, 0x4d, "g", nil, dbl(40), ""},
		{0xa7, 0xbc, "g", nil, dbl(50), ""},
		{0xa7, 0x93, "g", nil, txt("i"), ""},
		{0xc7, 0x81, "g", dbl(0), nil, "The layer must be given using an int."},
		{0xc7, 0x81, "g", num(0), nil, ""},
		{0xc7, 0x81, "lamp", num(0), nil, "Could not remove PoI 'lamp'"},
	})
}

// Persons come, walk by stages or along a path, wait, and go when their plan is done.
func TestPersons(t *testing.T) {
	g := serve(t, town, nil)
	p := g.connect()
	check(t, p, []row{
		{0xce, 0x80, "ann", human("DEFAULT_PEDTYPE", "town", -3, 2), nil, ""},
		{0xce, 0x80, "ann", human("DEFAULT_PEDTYPE", "town", -3, 2), nil, "The person ann to add already exists."},
		{0xce, 0x80, "bob", human("car", "town", -3, 2), nil, "Invalid type 'car' for person 'bob'"},
		{0xce, 0x80, "bob", human("DEFAULT_PEDTYPE", "road", -3, 2), nil, "Invalid edge 'road' for person: 'bob'"},
		{0xce, 0x80, "bob", human("DEFAULT_PEDTYPE", "town", nan, 2), nil, "Invalid departure"},
		{0xce, 0x80, "a", human("DEFAULT_PEDTYPE", "town", -3, 2), nil, "can't have this name"},
		{0xce, 0x80, "bob", num(0), nil, "Adding a person requires a compound object."},
		{0xce, 0x80, "bob", compound(num(0)), nil, "Adding a person needs four parameters."},
		{0xce, 0x80, "bob", human("DEFAULT_PEDTYPE", "town", 0.25, 1), nil, ""},
		{0xce, 0xc4, "ann", compound(num(1), dbl(0.3), txt("waiting"), txt("")), nil, ""},
		{0xce, 0xc4, "ann", compound(num(2), lst("town"), dbl(2.2), dbl(-1), dbl(1), txt("")), nil, ""},
		{0xce, 0xc4, "ann", compound(num(2), lst("road"), dbl(2.2), dbl(-1), dbl(1), txt("")), nil, "Invalid walk"},
		{0xce, 0xc4, "ann", compound(num(3), txt("")), nil, "Invalid stage type 3"},
		{0xce, 0xc4, "ann", compound(txt("")), nil, "The first parameter for adding a stage"},
		{0xce, 0xc4, "ann", compound(num(1), dbl(-1), txt(""), txt("")), nil, "must not be negative"},
		{0xce, 0xc4, "ann", num(0), nil, "Adding a person stage requires a compound object."},
		{0xae, 0x00, "", nil, lst(), ""},
		{0xae, 0x42, "ann", nil, place(wire.NoDouble, wire.NoDouble), ""},
		{0xae, 0xc2, "ann", nil, num(2), ""},
	})
	p.ok(step(0))
	check(t, p, []row{
		{0xab, 0x25, "", nil, lst("ann"), ""},
		{0xab, 0x24, "", nil, num(1), ""},
		{0xae, 0x00, "", nil, lst("ann"), ""},
		{0xae, 0x01, "", nil, num(1), ""},
		{0xae, 0x36, "ann", nil, dbl(0), ""},
		{0xae, 0x39, "ann", nil, wire.TypePoint3(nil, wire.Point{2, 1}, 0), ""},
		{0xae, 0x40, "ann", nil, dbl(0), ""},
		{0xae, 0x41, "ann", nil, dbl(0.5), ""},
		{0xae, 0x42, "ann", nil, place(2, 1), ""},
		{0xae, 0x43, "ann", nil, dbl(90), ""},
		{0xae, 0x44, "ann", nil, dbl(0.3), ""},
		{0xae, 0x45, "ann", nil, col(255, 255, 0, 255), ""},
		{0xae, 0x4d, "ann", nil, dbl(0.3), ""},
		{0xae, 0x4f, "ann", nil, txt("DEFAULT_PEDTYPE"), ""},
		{0xae, 0x50, "ann", nil, txt("town"), ""},
		{0xae, 0x51, "ann", nil, txt("town_0"), ""},
		{0xae, 0x56, "ann", nil, dbl(2), ""},
		{0xae, 0xbc, "ann", nil, dbl(1.719), ""},
		{0xae, 0x7a, "ann", nil, anyDouble, ""},
		{0xae, 0xc3, "ann", nil, txt(""), ""},
		{0xae, 0xee, "ann", nil, nil, "Get Person Variable: unsupported variable 0xee specified"},
		{0xae, 0x42, "zoe", nil, nil, "Person 'zoe' is not known"},
		{0xce, 0x40, "zoe", dbl(1), nil, "Person 'zoe' is not known"},
		{0xce, 0x40, "ann", num(1), nil, "Setting speed requires a double."},
		{0xce, 0x40, "ann", dbl(99), nil, "out of range"},
		{0xce, 0x45, "ann", col(1, 2, 3, 4), nil, ""},
		{0xce, 0x45, "ann", num(1), nil, "The color must be given"},
		{0xae, 0x45, "ann", nil, col(1, 2, 3, 4), ""},
		{0xce, 0xb4, "ann", num(0), nil, "MoveToXY person requires a compound object."},
		{0xce, 0xb4, "ann", compound(num(0)), nil, "MoveToXY person should obtain"},
		{0xce, 0xb4, "ann", personMoved(3, 1, 0), nil, "occupied"},
		{0xce, 0x81, "ann", num(0), nil, "Removing a person requires a byte."},
		{0xce, 0xee, "ann", num(0), nil, "Change Person State: unsupported variable 0xee specified"},
		{0xce, 0x7e, "ann", compound(txt("k"), txt("v")), nil, ""},
		{0xae, 0x7e, "ann", txt("k"), txt("v"), ""},
		{0xaa, 0x1a, "town", nil, lst("ann"), ""},
	})
	p.ok(step(0.4))
	check(t, p, []row{{0xae, 0x00, "", nil, lst("ann", "bob"), ""}, {0xae, 0xc2, "ann", nil, num(1), ""}, {0xae, 0x40, "ann", nil, dbl(1), ""}})
	p.ok(step(1))
	check(t, p, []row{
		{0xab, 0x27, "", nil, lst("ann"), ""}, {0xab, 0x26, "", nil, num(1), ""}, {0xae, 0x00, "", nil, lst("bob"), ""},
		{0xce, 0x7e, "bob", compound(txt("path"), txt("1,0.7 1.5,0.7")), nil, ""},
		{0xce, 0x7e, "bob", compound(txt("path"), txt("1,0.7 here")), nil, "must be at most"},
		{0xce, 0xb4, "bob", personMoved(1, 1.2, 180), nil, ""},
		{0xae, 0x42, "bob", nil, place(1, 1.2), ""},
		{0xae, 0x43, "bob", nil, dbl(180), ""},
		{0xce, 0x40, "bob", dbl(-1), nil, ""},
		{0xae, 0x7e, "bob", txt("path"), txt("1,0.7 1.5,0.7"), ""},
	})
	p.ok(step(5))
	check(t, p, []row{
		{0xae, 0x42, "bob", nil, place(1.5, 0.7), ""}, {0xce, 0x81, "bob", small(3), nil, ""}, {0xae, 0x00, "", nil, lst(), ""},
		{0xce, 0x80, "cec", human("DEFAULT_PEDTYPE", "town", 1000, 2), nil, ""}, {0xce, 0x81, "cec", small(3), nil, ""},
	})
	if n := len(g.sim.Persons()); n != 0 {
		t.Errorf("%d persons are left", n)
	}
}

// What a world of robots does not have is an empty list and a refusal, not silence.
func TestWhatThereIsNot(t *testing.T) {
	p := serve(t, town, nil).connect()
	unknown := map[byte]string{
		0: "Induction loop 'x' is not known", 1: "Multi entry exit detector 'x' is not known", 2: "Traffic light 'x' is not known",
		3: "Lane 'x' is not known", 9: "Junction 'x' is not known", 0xd: "Lane area detector 'x' is not known", 0xf: "busStop 'x' is not known",
	}
	for d, text := range unknown {
		check(t, p, []row{
			{0xa0 + d, 0x00, "", nil, lst(), ""}, {0xa0 + d, 0x01, "", nil, num(0), ""},
			{0xa0 + d, 0x42, "x", nil, nil, text}, {0xc0 + d, 0x40, "x", dbl(1), nil, text},
		})
	}
	check(t, p, []row{
		{0xac, 0x00, "", nil, nil, "GUI is not running, command not implemented in command line sumo"},
		{0xcc, 0x40, "", nil, nil, "GUI is not running, command not implemented in command line sumo"},
		{0xa5, 0x00, "", nil, lst("e-puck2", "DEFAULT_VEHTYPE", "e-puck2/firmware", "e-puck2/functional", "e-puck2/target", "DEFAULT_PEDTYPE"), ""},
		{0xa5, 0x44, "e-puck2", nil, dbl(0.074), ""},
		{0xa5, 0x44, "DEFAULT_PEDTYPE", nil, dbl(0.3), ""},
		{0xa5, 0x41, "DEFAULT_PEDTYPE", nil, dbl(0.5), ""},
		{0xa5, 0xbc, "e-puck2", nil, dbl(0.05), ""},
		{0xa5, 0x46, "e-puck2", nil, anyDouble, ""},
		{0xa5, 0x4c, "e-puck2", nil, dbl(0), ""},
		{0xa5, 0x45, "e-puck2", nil, col(255, 255, 0, 255), ""},
		{0xa5, 0x49, "e-puck2", nil, txt("custom1"), ""},
		{0xa5, 0x44, "car", nil, nil, "Vehicle type 'car' is not known"},
		{0xa5, 0x42, "e-puck2", nil, nil, "Get Vehicle Type Variable: unsupported variable 0x42 specified"},
		{0xc5, 0x41, "e-puck2", dbl(1), nil, "Change Vehicle Type State: unsupported variable 0x41 specified"},
		{0xa6, 0x00, "", nil, lst("town"), ""},
		{0xa6, 0x54, "town", nil, lst("town"), ""},
		{0xa6, 0x54, "road", nil, nil, "Route 'road' is not known"},
		{0xa6, 0x42, "town", nil, nil, "Get Route Variable: unsupported variable 0x42 specified"},
		{0xc6, 0x80, "r", lst("road"), nil, "Unknown edge 'road' in route."},
		{0xc6, 0x80, "r", num(0), nil, "A string list is needed for adding a new route."},
		{0xc6, 0x80, "r", lst("town", "town"), nil, ""},
		{0xc6, 0x80, "r", lst("town"), nil, "Could not add route 'r'."},
		{0xa6, 0x54, "r", nil, lst("town", "town"), ""},
		{0xc6, 0xee, "r", num(0), nil, "Change Route State: unsupported variable 0xee specified"},
		{0xaa, 0x00, "", nil, lst("town"), ""},
		{0xaa, 0x10, "town", nil, num(0), ""},
		{0xaa, 0x12, "town", nil, lst(), ""},
		{0xaa, 0x11, "town", nil, dbl(0), ""},
		{0xaa, 0x10, "road", nil, nil, "Edge 'road' is not known"},
		{0xaa, 0x42, "town", nil, nil, "Get Edge Variable: unsupported variable 0x42 specified"},
		{0xca, 0x41, "town", dbl(1), nil, "Change Edge State: unsupported variable 0x41 specified"},
		{0xab, 0x00, "", nil, nil, "Get Simulation Variable: unsupported variable 0x00 specified"},
		{0xcb, 0xee, "", num(0), nil, "Set Simulation Variable: unsupported variable 0xee specified"},
	})
	for command, text := range map[string]string{
		"0201":                      "start it again",
		"0275":                      "Command not implemented in sumo",
		"0b01 0e 00000001 00000000": "start it again",
		"037e00":                    "No previous vehicle context subscription exists to apply filter type 0x00",
	} {
		b := unhex(t, command)
		b[0] = byte(len(b))
		if result, got, _ := p.status(b); result == wire.OK || !strings.Contains(got, text) {
			t.Errorf("%s: %d %q, want %q", command, result, got, text)
		}
	}
}

// Variables of the simulation itself.
func TestSimulationVariables(t *testing.T) {
	p := serve(t, town, nil).connect()
	ground := func(kind byte, a, b []byte) []byte {
		return append(append(append(wire.TypeCompound(nil, 3), a...), b...), kind)
	}
	road := func(edge string, pos float64) []byte {
		return append(wire.AppendDouble(wire.AppendString([]byte{wire.RoadMap}, edge), pos), 0)
	}
	check(t, p, []row{
		{0xab, 0x66, "", nil, dbl(0), ""},
		{0xab, 0x70, "", nil, num(0), ""},
		{0xab, 0x7b, "", nil, dbl(0.1), ""},
		{0xab, 0x73, "", nil, num(0), ""},
		{0xab, 0x74, "", nil, lst(), ""},
	})
	p.ok(step(1))
	rows := []row{
		{0xab, 0x66, "", nil, dbl(1), ""},
		{0xab, 0x70, "", nil, num(1000), ""},
		{0xab, 0x73, "", nil, num(2), ""},
		{0xab, 0x74, "", nil, lst("a", "b"), ""},
		{0xab, 0x79, "", nil, num(0), ""},
		{0xab, 0x7a, "", nil, lst(), ""},
		{0xab, 0x23, "", nil, compound(num(0)), ""},
		{0xab, 0x80, "", nil, num(0), ""},
		{0xab, 0x81, "", nil, lst(), ""},
		{0xab, 0x32, "", txt("step-length"), txt("0.1"), ""},
		{0xab, 0x32, "", txt("net-file"), txt("town"), ""},
		{0xab, 0x32, "", txt("abc"), nil, "The option abc has no meaning"},
		{0xab, 0x32, "", num(0), nil, "requires its name"},
		{0xab, 0x83, "", ground(0, place(0, 0), place(3, 4)), dbl(5), ""},
		{0xab, 0x83, "", ground(1, place(0, 0), place(3, 4)), dbl(5), ""},
		{0xab, 0x83, "", ground(2, place(0, 0), place(3, 4)), nil, "Distance type 2"},
		{0xab, 0x83, "", ground(0, road("town", 1), place(1, 4)), dbl(3), ""},
		{0xab, 0x83, "", ground(0, road("road", 1), place(1, 4)), nil, "Unknown edge 'road'."},
		{0xab, 0x83, "", ground(0, num(1), place(1, 4)), nil, "A position of type 0x09 is not known."},
		{0xab, 0x83, "", num(0), nil, "Retrieval of distance requires a compound object."},
		{0xab, 0x82, "", compound(place(3, 0.5), unsigned(0)), append([]byte{0}, place(3, 0.5)[1:]...), ""},
		{0xab, 0x82, "", compound(place(3, 0.5), unsigned(1)), place(3, 0.5), ""},
		{0xab, 0x82, "", compound(place(3, 0.5), unsigned(3)), wire.TypePoint3(nil, wire.Point{3, 0.5}, 0), ""},
		{0xab, 0x82, "", compound(place(3, 0.5), unsigned(4), txt("ignoring")), road("town", 3), ""},
		{0xab, 0x82, "", compound(road("town", 3), unsigned(1)), place(3, 1), ""},
		{0xab, 0x82, "", compound(wire.TypePoint3(nil, wire.Point{3, 0.5}, 7), unsigned(1)), place(3, 0.5), ""},
		{0xab, 0x82, "", compound(place(3, 0.5), unsigned(9)), nil, "A position of type 0x09 is not known."},
		{0xab, 0x82, "", compound(place(3, 0.5), num(9)), nil, "Position conversion requires the type as unsigned byte."},
		{0xab, 0x82, "", num(0), nil, "Position conversion requires a compound object."},
		{0xab, 0x82, "", compound(num(0)), nil, "Position conversion requires two or three parameters."},
	}
	for _, v := range []byte{0x75, 0x77, 0x6c, 0x6e, 0x68, 0x6a, 0x71, 0x79} {
		rows = append(rows, row{0xab, v, "", nil, num(0), ""})
	}
	for _, v := range []byte{0x76, 0x78, 0x6d, 0x6f, 0x69, 0x6b, 0x72, 0x7a, 0x94} {
		rows = append(rows, row{0xab, v, "", nil, lst(), ""})
	}
	check(t, p, rows)
}
