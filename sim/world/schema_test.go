// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// goWords are words of Go and of its YAML library that no user of a world file knows.
var goWords = regexp.MustCompile(`!!|unmarshal|float64|uint8|\bint\b|\bstring\b|\[\]|map\[|world\.[A-Z]|\btype\b`)

// TestErrorsHaveNoGoTypes: no mistake is answered with the name of a type of Go or a tag of YAML.
func TestErrorsHaveNoGoTypes(t *testing.T) {
	for _, c := range append(grammar(), nonsense()...) {
		_, err := world.Parse([]byte(c.text))
		if err == nil || goWords.MatchString(strings.ReplaceAll(err.Error(), c.text, "")) {
			t.Errorf("%.60q: %v", c.text, err)
		}
	}
}

// TestMisspelledFields: an unknown field of every mapping is named with its place in the file, and with what may have
// been meant.
func TestMisspelledFields(t *testing.T) {
	for text, want := range map[string]string{
		"robot: [{name: r}]":                                 "w.yaml:1:1: robot: there is no such field; did you mean 'robots'?",
		"robots: [{name: r, postion: [0, 0]}]":               "w.yaml:1:20: robots[0].postion: there is no such field; did you mean 'position'?",
		"robots: [{name: r, magnetometr: none}]":             "w.yaml:1:20: robots[0].magnetometr: there is no such field; did you mean 'magnetometer'?",
		"robots:\n- name: r\n  battery: {charg: 1}":          "w.yaml:3:13: robots[0].battery.charg: there is no such field; did you mean 'charge'?",
		robots + "arena: {sizes: [1, 1]}":                    "w.yaml:2:9: arena.sizes: there is no such field; did you mean 'size'?",
		robots + "floor: {lines: [{pionts: []}]}":            "w.yaml:2:18: floor.lines[0].pionts: there is no such field; did you mean 'points'?",
		robots + "x: 1":                                      "w.yaml:2:1: x: there is no such field; there are name, description,",
		"robots: [&a {name: r}, {<<: *a, nme: b}]":           "w.yaml:1:33: robots[1].nme: there is no such field; did you mean 'name'?",
		robots + "arena: {size: [1, 1], grow: maybe}":        `w.yaml:2:29: arena.grow: must be true or false, is "maybe"`,
		robots + "ambient_irradiance: {a: 1}":                "w.yaml:2:21: ambient_irradiance: must be a number",
		"robots: [{name: r, selector: 1.5}]":                 `w.yaml:1:30: robots[0].selector: must be a whole number, is "1.5"`,
		"robots: [{name: [r]}]":                              "w.yaml:1:17: robots[0].name: must be a text",
		"robots: {name: r}":                                  "w.yaml:1:9: robots: must be a list",
		"robots: [{name: r, cost: {a: 1}}]":                  "w.yaml:1:26: robots[0].cost: must be a text",
		"robots: [{name: r, variation: {wheel_radii: [1]}}]": "w.yaml:1:45: robots[0].variation.wheel_radii: must be a list of 2",
	} {
		_, err := world.LoadFS(fstest.MapFS{"w.yaml": {Data: []byte(text)}}, "w.yaml")
		if !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

// TestSyntaxErrorsHaveFileLineAndColumn: so do texts that are no YAML at all.
func TestSyntaxErrorsHaveFileLineAndColumn(t *testing.T) {
	for text, want := range map[string]string{
		"robots:\n  - name: [\n":            "world: w.yaml:2:11: did not find expected node content",
		"robots:\n  - {name: a, yaw: @3}\n": "world: w.yaml:2:20: found character that cannot start any token",
		"robots:\n\t- name: a\n":            "world: w.yaml:2:1: found character that cannot start any token",
	} {
		_, err := world.LoadFS(fstest.MapFS{"w.yaml": {Data: []byte(text)}}, "w.yaml")
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSettingsThatAreNoYAMLNameTheirKey: a syntax error of --set, whose text is of no file.
func TestSettingsThatAreNoYAMLNameTheirKey(t *testing.T) {
	for _, setting := range []string{"arena.size=[2, 2", "robots[0].level={", "robots[*].yaw=@3"} {
		key, _, _ := strings.Cut(setting, "=")
		_, err := world.Parse([]byte("robots: [{name: a}]\n"), setting)
		if !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "yaml:") {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
