// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// Of a blind sensor, drowned by the sun or refused, nothing is claimed: no free space, no obstacle.
func TestBlindInfraredClaimsNothing(t *testing.T) {
	s := mcu.Sensors{Proximity: [8]uint16{235, 0, 235, 0, 0, 235}, Ambient: [8]uint16{4000, 0, 0, 4000, 4000, 4000, 4000, 4000}, Refused: mcu.ValueProximity(5) | mcu.ValueAmbient(2)}
	s.Proximity[5] = 0
	set := &Settings{Correct: *uncorrected()}
	for i, c := range []struct{ shown, light bool }{{true, true}, {false, true}, {true, false}, {true, true}, {true, true}, {false, true}} {
		r := &Reading{Set: set, Sensors: s}
		var m jazzy.Range
		if !newRange(i, "ps")(&m, r) || math.IsNaN(float64(m.Range)) == c.shown {
			t.Errorf("ps%d is %v", i, m.Range)
		}
		var light sensor_msgs.Illuminance
		if newIlluminance(i, "ls")(&light, r) != c.light {
			t.Errorf("ls%d is published: %v", i, !c.light)
		}
	}
}
