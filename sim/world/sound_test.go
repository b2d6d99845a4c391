// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestSoundsAreChecked: each field of a sound has its limits, and the error names it.
func TestSoundsAreChecked(t *testing.T) {
	for fields, wrong := range map[string]string{
		"position: [1, 2, 0.1], pressure: 0.02":                  "",
		"name: horn, position: [1, 2, 0.1], frequency: 440":      "",
		"position: [1, 2, 0.1], pressure: -1":                    "sounds[0].pressure",
		"position: [1, 2, 0.1], pressure: 201":                   "sounds[0].pressure",
		"position: [1, 2, 0.1], pressure: 1, frequency: 30000":   "sounds[0].frequency",
		"position: [1, 2e9, 0.1], pressure: 1":                   "sounds[0].position",
		"name: r, position: [1, 2, 0.1], pressure: 1":            "sounds[0].name",
		"position: [1, 2, 0.1], pressure: 1, volume: 3":          "volume",
		"position: [1, 2, 0.1], pressure: .nan, frequency: 1000": "sounds[0].pressure",
	} {
		_, err := world.Parse([]byte(fmt.Sprintf("sounds: [{%s}]\nrobots: [{name: r}]", fields)))
		if wrong == "" && err != nil || wrong != "" && (err == nil || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%s: %v, want an error about %q", fields, err, wrong)
		}
	}
}
