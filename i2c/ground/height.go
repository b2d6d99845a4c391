// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Model converts reflected light to the height of a sensor above a white floor, linearly between two points. The zero
// value of each field means its default, of [robot.GroundResponse].
type Model struct {
	Near float64 // counts at [robot.MinGroundRange]; it defaults to 1000
	Far  float64 // counts at [robot.MaxGroundRange]; it defaults to 300
}

// Height returns the height in metres, [robot.MinGroundRange] to [robot.MaxGroundRange]. For less light than at the
// maximum (a black line, or no floor) it is +Inf, "nothing within range" by REP 117; for more light than at the minimum
// it is the minimum, where the robot touches the floor.
func (m Model) Height(counts uint16) float64 {
	response := robot.GroundResponse()
	if m.Near == 0 {
		m.Near = response[0].Reading
	}
	if m.Far == 0 {
		m.Far = response[1].Reading
	}
	h := robot.MaxGroundRange * (m.Near - float64(counts)) / (m.Near - m.Far)
	switch {
	case math.IsNaN(h) || h > robot.MaxGroundRange:
		return math.Inf(1)
	case h < robot.MinGroundRange:
		return robot.MinGroundRange
	}
	return h
}
