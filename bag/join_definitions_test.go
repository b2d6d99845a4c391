// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
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
			b, err := Join(bags...)
			if c.fit != (err == nil) || err != nil && (!errors.Is(err, ErrTypes) || !strings.Contains(err.Error(), "/level has another version of own_msgs/msg/Level in "+bags[1].Path)) {
				t.Errorf("%s: %v", c.name, err)
			}
			if b != nil && b.topics[0].SchemaEncoding == "" {
				t.Errorf("%s: the definition is lost", c.name)
			}
		}
		_ = errors.Join(x.Close(), y.Close())
	}
}

// TestThirdBagIsComparedWithTheDefinitionOfTheSecond: the first one has none.
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
	if _, err := Join(bags...); !errors.Is(err, ErrTypes) {
		t.Error(err)
	}
	if _, err := Join(bags[:2]...); err != nil {
		t.Error(err)
	}
}
