// SPDX-License-Identifier: Apache-2.0

package experiment_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/experiment"
)

// TestErrorsNameLineColumnAndField: in words of the file, without types of Go.
func TestErrorsNameLineColumnAndField(t *testing.T) {
	const rest = "\nname: a\nworld: empty\ncontroller: avoid\n"
	for text, want := range map[string]string{
		"robots: many" + rest:                            `line 1:9: robots: "many" is not a whole number`,
		"duration: 0,05" + rest:                          `line 1:11: duration: "0,05" is not a number; numbers have a point: 0.05`,
		"seeds: {from: 1, count: a lot of them}":         `line 1:25: seeds: "a lot of them" is not a whole number`,
		"command: {a: 1}":                                "line 1:10: command: want a list, such as [1, 2]",
		"stop: [1]":                                      "line 1:7: stop: want a mapping",
		"durration: 1" + rest:                            "line 1:1: field durration not found; did you mean 'duration'?",
		"name: a\nduration: 1\nseeds: [1]\nrobots:   -1": "line 4:11: robots: -1",
		"name: a\n  world: [":                            "line 2:",
		"name: x\nparameters: {speed: [1, quick]}":       "line 2:14: speed must be a list of numbers",
	} {
		_, err := experiment.Parse([]byte(text), ".")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
			continue
		}
		for _, word := range []string{"experiment.", "uint64", " into ", "!!", "float64", "unmarshal"} {
			if strings.Contains(err.Error(), word) && word != "experiment." || strings.Contains(err.Error(), "type experiment.") {
				t.Errorf("%q: %v names %q", text, err, word)
			}
		}
	}
}
