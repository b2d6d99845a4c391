// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// forest draws trees of nodes, prints them as PROTO, and knows where each device is and what else has to be read.
type forest struct {
	t                    *rapid.T
	text, params         strings.Builder
	devices              map[string]matrix // where they are with all joints as in the file
	positions            map[string]float64
	links, joints, boxes int
	defs                 []string // shapes that have a name
	tables               map[string]description.Table
	lines                int
}

func (f *forest) real(name string, least, most float64) float64 {
	return rapid.Float64Range(least, most).Draw(f.t, name)
}

// space is what may be between two words.
func (f *forest) space() string {
	s := rapid.SampledFrom([]string{" ", "\n", "\t", " , ", " # a comment { \" [\n", "\r\n"}).Draw(f.t, "space")
	return s
}

// print writes words with space between.
func (f *forest) print(words ...any) {
	for _, w := range words {
		if v, ok := w.(float64); ok {
			w = num(v)
		}
		f.text.WriteString(fmt.Sprint(w))
		f.text.WriteString(f.space())
	}
}

// field prints a field with numbers, or as IS with the numbers in the header.
func (f *forest) field(name string, values ...float64) {
	var words []any
	for _, v := range values {
		words = append(words, v)
	}
	if rapid.IntRange(0, 9).Draw(f.t, "parameter") == 0 {
		f.lines++
		parameter := fmt.Sprintf("p%d", f.lines)
		f.params.WriteString("field SFAny " + parameter)
		for _, v := range values {
			f.params.WriteString(" " + num(v))
		}
		f.params.WriteString("\n")
		words = []any{"IS", parameter}
	}
	f.print(append([]any{name}, words...)...)
}

// pose prints translation and rotation in any order, and gives them.
func (f *forest) pose() matrix {
	x, y, z := f.real("x", -1, 1), f.real("y", -1, 1), f.real("z", -1, 1)
	a, b, c, angle := f.real("a", .1, 1), f.real("b", -1, 1), f.real("c", -1, 1), f.real("angle", -7, 7)
	fields := []func(){func() { f.field("translation", x, y, z) }, func() { f.field("rotation", a, b, c, angle) }}
	if rapid.Bool().Draw(f.t, "order") {
		fields[0], fields[1] = fields[1], fields[0]
	}
	fields[0]()
	fields[1]()
	return shift(x, y, z).times(turn(a, b, c, angle))
}

// children prints some nodes.
func (f *forest) children(at matrix, depth int) {
	f.print("children", "[")
	for range rapid.IntRange(0, 3).Draw(f.t, "children") {
		f.child(at, depth)
	}
	f.print("]")
}

func (f *forest) child(at matrix, depth int) {
	kind := rapid.SampledFrom([]string{"Pose", "Group", "Solid", "GPS", "DistanceSensor", "HingeJoint", "SliderJoint", "Shape"}).Draw(f.t, "kind")
	if depth == 0 {
		kind = "GPS"
	}
	if kind != "Shape" && rapid.Bool().Draw(f.t, "def") {
		f.print("DEF", fmt.Sprintf("D%d", f.lines))
	}
	switch kind {
	case "Group":
		f.print(kind, "{")
		f.children(at, depth-1)
		f.print("}")
	case "Pose":
		f.print(kind, "{")
		f.children(at.times(f.pose()), depth-1)
		f.print("}")
	case "Solid":
		f.solid(at, depth)
	case "GPS", "DistanceSensor":
		f.device(kind, at)
	case "Shape":
		f.shape()
	default:
		f.joint(kind, at, depth)
	}
}

func (f *forest) solid(at matrix, depth int) {
	f.links++
	f.print("Solid", "{", "name", fmt.Sprintf("\"link %d\"", f.links))
	f.children(at.times(f.pose()), depth-1)
	f.print("}")
}

func (f *forest) device(kind string, at matrix) {
	name := fmt.Sprintf("device %d", len(f.devices))
	f.print(kind, "{", "name", "\""+name+"\"")
	f.devices[name] = at.times(f.pose())
	if kind == "DistanceSensor" {
		var table description.Table
		f.print("lookupTable", "[")
		quantity := 0.
		for range rapid.IntRange(2, 5).Draw(f.t, "rows") {
			r := description.Row{Quantity: quantity, Value: f.real("value", -4000, 4000), Noise: f.real("noise", 0, 1)}
			f.print(r.Quantity, r.Value, r.Noise)
			table = append(table, r)
			quantity += f.real("step", .001, 1)
		}
		f.print("]")
		f.tables[name] = table
	}
	f.print("}")
}

func (f *forest) shape() {
	f.boxes++
	if len(f.defs) > 0 && rapid.Bool().Draw(f.t, "use") {
		f.print("USE", rapid.SampledFrom(f.defs).Draw(f.t, "which"))
		return
	}
	name := fmt.Sprintf("S%d", f.boxes)
	f.print("DEF", name, "Shape", "{", "geometry", "Box", "{", "size", 1., 2., 3., "}", "}")
	f.defs = append(f.defs, name)
}

func (f *forest) joint(kind string, at matrix, depth int) {
	f.joints++
	name := fmt.Sprintf("joint %d", f.joints)
	f.positions[name] = f.real("position", -3, 3)
	motor, parameters := "RotationalMotor", "HingeJointParameters"
	if kind == "SliderJoint" {
		motor, parameters = "LinearMotor", "JointParameters"
	}
	f.print(kind, "{", "device", motor, "{", "name", "\""+name+"\"", "}", "jointParameters", parameters, "{")
	f.field("axis", f.real("u", .1, 1), f.real("v", -1, 1), f.real("w", -1, 1))
	f.field("position", f.positions[name])
	if kind == "HingeJoint" {
		f.field("anchor", f.real("x", -1, 1), f.real("y", -1, 1), f.real("z", -1, 1))
	}
	f.print("}", "endPoint")
	f.solid(at, depth)
	f.print("}")
}

// Trees that the test draws and prints are read back as they were: each device is where it was, each link and joint and
// shape is there, tables are the same to the last bit, and not a word is said about them.
func TestTreesAreReadBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := &forest{t: rt, devices: map[string]matrix{}, positions: map[string]float64{}, tables: map[string]description.Table{}}
		f.print("Robot", "{")
		f.children(identity, 4)
		f.print("}")
		text := header + "PROTO It [\n" + f.params.String() + "]\n{" + f.text.String() + "}"
		r, err := proto.Parse("it", []byte(text))
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		boxes := 0
		for i := range r.Links {
			boxes += len(r.Links[i].Visuals)
		}
		if len(r.Links) != f.links+1 || len(r.Joints) != f.links || boxes != f.boxes || len(r.Ignored) > 0 ||
			len(r.Devices) != len(f.devices)+f.joints {
			rt.Fatalf("%d links of %d, %d shapes of %d, %d devices of %d\n%s\n%s", len(r.Links), f.links+1, boxes, f.boxes,
				len(r.Devices), len(f.devices)+f.joints, remarks(r), text)
		}
		for name, want := range f.devices {
			same(t, name, where(t, r, name, f.positions), want)
			for i, row := range f.tables[name] {
				if got := device(t, r, name).Table[i]; got != row || math.Signbit(got.Value) != math.Signbit(row.Value) {
					rt.Errorf("%s: %v, not %v", name, got, row)
				}
			}
		}
	})
}
