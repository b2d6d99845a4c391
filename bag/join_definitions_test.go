// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestBagsWithoutHashesAreComparedByDefinitions: recorders before ROS 2 Iron, and other programs, write no type hash.
func TestBagsWithoutHashesAreComparedByDefinitions(t *testing.T) {
	const msg, idl = "ros2msg", "ros2idl"
	for _, c := range []struct {
		name                 string
		encoding, text       string
		otherEncoding, other string
		fit                  bool
	}{
		{"equal", msg, "float64 height\nint32 tank\n", msg, "float64 height\nint32 tank\n", true},
		{"comments", msg, "# a tank\nfloat64 height # m\nint32 tank\n", msg, "float64  height\r\n\r\nint32 tank", true},
		{"another field", msg, "float64 height\nint32 tank\n", msg, "float64 height\nint64 tank\n", false},
		{"a field more", msg, "float64 height\n", msg, "float64 height\nint32 tank\n", false},
		{"a nested type", msg, "own_msgs/Depth d\n===\nMSG: own_msgs/Depth\nfloat64 m\n", msg, "own_msgs/Depth d\n===\nMSG: own_msgs/Depth\nfloat32 m\n", false},
		{"IDL", msg, "float64 height\n", idl, "module own_msgs { module msg { struct Level { double height; }; }; };", true},
		{"IDL that differs", msg, "float64 height\n", idl, "module own_msgs { module msg { struct Level { float height; }; }; };", false},
		{"unknown in one", msg, "float64 height\n", "", "", true},
	} {
		x, y := numbers(t, "x", "/level", "own_msgs/msg/Level", 1), numbers(t, "y", "/level", "own_msgs/msg/Level", 2)
		x.topics[0].SchemaEncoding, x.topics[0].Schema = c.encoding, c.text
		y.topics[0].SchemaEncoding, y.topics[0].Schema = c.otherEncoding, c.other
		for _, bags := range [][]*Bag{{x, y}, {y, x}} {
			b := Join(bags...)
			err := errors.Join(b.Ambiguities(nil)...)
			if c.fit != (err == nil) || err != nil && (!errors.Is(err, ErrTypes) || !strings.Contains(err.Error(), "topic /level has 2 definitions of own_msgs/msg/Level")) {
				t.Errorf("%s: %v", c.name, err)
			}
			if c.fit && len(b.topics) != 1 || b.topics[0].SchemaEncoding == "" {
				t.Errorf("%s: %+v", c.name, b.topics)
			}
			for m, err := range b.Messages(Range{}) {
				if own := map[string]*Bag{"x": x, "y": y}[string(m.Data)].topics[0]; err != nil || !c.fit && m.Topic.Schema != own.Schema {
					t.Errorf("%s: the message of %s has the definition %q, %v", c.name, m.Data, m.Topic.Schema, err)
				}
			}
		}
		_ = errors.Join(x.Close(), y.Close())
	}
}

// TestThirdBagIsComparedWithTheDefinitionOfTheSecond: the first one has none. It belongs to the only one that has, and to
// none of two.
func TestThirdBagIsComparedWithTheDefinitionOfTheSecond(t *testing.T) {
	var bags []*Bag
	for i, text := range []string{"", "float64 height\n", "float32 height\n"} {
		b := numbers(t, string('x'+rune(i)), "/level", "own_msgs/msg/Level", uint64(i))
		defer func() { _ = b.Close() }()
		if b.topics[0].Schema = text; text == "" {
			b.topics[0].SchemaEncoding = ""
		}
		bags = append(bags, b)
	}
	definitions := func(b *Bag) (out []string) {
		for m, err := range b.Messages(Range{}) {
			out = append(out, m.Topic.Schema)
			if err != nil {
				t.Error(err)
			}
		}
		return out
	}
	if got := definitions(Join(bags...)); !slices.Equal(got, []string{"", "float64 height\n", "float32 height\n"}) {
		t.Errorf("%q", got)
	}
	if b := Join(bags[:2]...); len(b.topics) != 1 || !slices.Equal(definitions(b), []string{"float64 height\n", "float64 height\n"}) {
		t.Errorf("%+v", b.topics)
	}
}
