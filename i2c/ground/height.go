// SPDX-License-Identifier: Apache-2.0

package ground

import "math"

// Limits of the height model as a sensor_msgs/Range, m.
const (
	MinRange = 0.0
	MaxRange = 0.016
)

// Model turns reflected light into the height of a sensor above a white floor, linearly between two points. The zero
// value of each field means its default, the two points of the simulated robot (Webots, E-puckGroundSensors.proto) that
// the existing ROS 2 driver uses as well: 1000 counts at 0 m and 300 at 0.016 m.
type Model struct {
	Near float64 // counts at [MinRange]; it defaults to 1000
	Far  float64 // counts at [MaxRange]; it defaults to 300
}

// Height returns the height in metres, [MinRange] to [MaxRange]. Less light than at MaxRange, a black line or no
// floor at all, gives +Inf, "nothing within range" by REP 117. More light than at MinRange gives MinRange: nothing is
// nearer than touching.
func (m Model) Height(counts uint16) float64 {
	if m.Near == 0 {
		m.Near = 1000
	}
	if m.Far == 0 {
		m.Far = 300
	}
	h := MaxRange * (m.Near - float64(counts)) / (m.Near - m.Far)
	switch {
	case math.IsNaN(h) || h > MaxRange:
		return math.Inf(1)
	case h < MinRange:
		return MinRange
	}
	return h
}
