// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestFeedersAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"radius: 0.02": "",
		"size: [0.02, 0.03], number: 5, period: 1": "",
		"number: 5":                      "feeders[0].radius",
		"radius: 0.02, size: [0.1, 0.1]": "feeders[0].radius: must not be given with a size",
		"radius: 0.02, number: 0":        "feeders[0].number",
		"radius: 0.02, number: 2001":     "feeders[0].number",
		"radius: 0.02, period: -1":       "feeders[0].period",
		"radius: 0.02, mass: 0":          "feeders[0].mass",
		"radius: 0.02, colour: red":      "did you mean 'color'",
		"radius: 0.02, name: r":          "name",
		"size: [0.02, -1]":               "feeders[0].size",
	} {
		_, err := world.Parse([]byte("feeders: [{position: [1, 0], " + text + "}]\nrobots: [{name: r}]"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	w, err := world.Parse([]byte("feeders: [{position: [1, 0], radius: 0.02}]\nrobots: [{name: r}]"))
	if err != nil || w.Feeders[0].Number != 1 || w.Feeders[0].Mass != world.DefaultMass || w.FeederName(0) != "feeder0" {
		t.Errorf("%+v, %v", w, err)
	}
}

// TestFeederIsNamedAndColoured: its name is the file's, or feeder and the number; its colour the file's, or one of the
// palette.
func TestFeederIsNamedAndColoured(t *testing.T) {
	w, err := world.Parse([]byte(`
feeders:
- {name: source, position: [1, 0], radius: 0.02, color: "#102030"}
- {position: [2, 0], size: [0.1, 0.2], yaw: 1, number: 7, period: 0.5, mass: 0.2, friction: 0.4, height: 0.05}
robots: [{name: r}]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := w.FeederName(0) + " " + w.FeederName(1); got != "source feeder1" {
		t.Error(got)
	}
	if got := w.FeederRGB(0); got != [3]uint8{0x10, 0x20, 0x30} {
		t.Error(got)
	}
	if got := w.FeederRGB(1); got != world.Paint(5) {
		t.Error(got)
	}
	want := world.Feeder{
		Position: world.Point{2, 0}, Size: world.Point{0.1, 0.2}, Yaw: 1, Number: 7, Period: 0.5, Mass: 0.2, Friction: 0.4, Height: 0.05,
	}
	if w.Feeders[1] != want {
		t.Errorf("%+v", w.Feeders[1])
	}
}
