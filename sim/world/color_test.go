// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestColors(t *testing.T) {
	for c, want := range map[world.Color][3]uint8{"#12abEF": {0x12, 0xab, 0xef}, "#000000": {}, "red": {200, 44, 36}} {
		if rgb, ok := c.RGB(); !ok || rgb != want {
			t.Errorf("%q: %v %v, want %v", c, rgb, ok, want)
		}
	}
	for _, c := range []world.Color{"", "#12abe", "#12abeff", "12abef0", "#12abeg", "Red", "#+1-2+3"} {
		if rgb, ok := c.RGB(); ok {
			t.Errorf("%q is %v", c, rgb)
		}
	}
	for _, c := range world.Colors() {
		if _, ok := c.RGB(); !ok {
			t.Errorf("%q has a name only", c)
		}
	}
}

// TestColorInFile: each kind of thing takes a colour, and a wrong one is refused with its place.
func TestColorInFile(t *testing.T) {
	const file = `robots: [{name: r, position: [0, 0]}]
arena: {size: [1, 1], color: white}
walls: [{from: [0, 0.3], to: [0.1, 0.3], color: "#102030"}]
boxes: [{position: [0.3, 0.3], size: [0.1, 0.1], color: red}]
cylinders: [{position: [-0.3, 0.3], radius: 0.1, color: blue}]
`
	w, err := world.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if w.Arena.Color != "white" || w.Walls[0].Color != "#102030" || w.Boxes[0].Color != "red" || w.Cylinders[0].Color != "blue" {
		t.Errorf("%+v", w)
	}
	for good, field := range map[string]string{
		"white": "line 2:30: arena.color", `"#102030"`: "line 3:49: walls[0].color",
		"red": "line 4:57: boxes[0].color", "blue": "line 5:57: cylinders[0].color",
	} {
		_, err := world.Parse([]byte(strings.Replace(file, good, "pinkish", 1)))
		if !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), `"pinkish"`) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// What the world file leaves open has a colour, and neighbours in its lists have different ones.
func TestColoursLeftOpen(t *testing.T) {
	w := world.World{
		Arena: &world.Arena{Color: "red"}, Walls: make([]world.Wall, 1), Boxes: make([]world.Box, 3),
		Cylinders: []world.Cylinder{{}, {Color: "#010203"}, {}},
	}
	if w.Arena.RGB() != [3]uint8{200, 44, 36} || w.CylinderRGB(1) != [3]uint8{1, 2, 3} {
		t.Errorf("a colour of the world file was replaced: %v, %v", w.Arena.RGB(), w.CylinderRGB(1))
	}
	w.Arena.Color = ""
	seen := map[[3]uint8]string{{}: "black"}
	for name, rgb := range map[string][3]uint8{
		"arena": w.Arena.RGB(), "wall": w.Walls[0].RGB(), "box 0": w.BoxRGB(0), "box 1": w.BoxRGB(1), "box 2": w.BoxRGB(2),
	} {
		if other, ok := seen[rgb]; ok {
			t.Errorf("%s looks as %s does", name, other)
		}
		seen[rgb] = name
	}
	if w.CylinderRGB(0) == w.BoxRGB(0) || w.CylinderRGB(0) != world.Paint(2) {
		t.Errorf("the first cylinder is %v", w.CylinderRGB(0))
	}
}
