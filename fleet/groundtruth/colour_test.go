// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Things look the same from above as to the robots' cameras, also those whose colour the world file leaves open.
func TestThingsHaveTheColoursOfTheCamera(t *testing.T) {
	w, err := sim.ParseWorld([]byte(`
arena: {size: [2, 2]}
boxes:
  - {name: b0, position: [0.5, 0], size: [0.1, 0.1]}
  - {name: b1, position: [0.5, 0.5], size: [0.1, 0.1], color: yellow}
  - {name: b2, position: [0.5, -0.5], size: [0.1, 0.1]}
cylinders:
  - {name: c0, position: [-0.5, 0], radius: 0.05}
  - {name: c1, position: [-0.5, 0.5], radius: 0.05}
walls:
  - {name: w0, from: [0, -0.5], to: [0, -0.8]}
  - {name: w1, from: [0, 0.5], to: [0, 0.8], color: "#102030"}
robots: [{name: r}]
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	camera := map[string][3]uint8{}
	for _, thing := range s.Things() {
		camera[thing.Name] = thing.Colour
	}
	markers := map[string][]visualization_msgs.Marker{}
	for _, m := range groundtruth.Markers(w).Markers {
		markers[m.NS] = append(markers[m.NS], m)
	}
	for _, c := range []struct {
		name, ns string
		i        int
	}{{"b0", "boxes", 0}, {"b1", "boxes", 1}, {"b2", "boxes", 2}, {"c0", "cylinders", 0}, {"c1", "cylinders", 1}, {"w0", "walls", 0}, {"w1", "walls", 1}} {
		m := markers[c.ns][c.i].Color
		got := [3]uint8{byteOf(m.R), byteOf(m.G), byteOf(m.B)}
		if want, ok := camera[c.name]; !ok || got != want {
			t.Errorf("%s is %v from above, %v to a camera", c.name, got, want)
		}
	}
	if a := markers["arena"][0].Color; a == markers["walls"][0].Color {
		t.Error("the arena has the colour of a wall in it")
	}
}

func byteOf(v float32) uint8 { return uint8(math.Round(float64(v) * 255)) }
