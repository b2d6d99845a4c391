// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// RangeClear names what the Range topics of the infrared and time-of-flight sensors hold while nothing is within their
// range (parameter range_clear).
type RangeClear string

// The values of the parameter range_clear.
const (
	// ClearInf is +Inf, as REP 117 has it. It is the default.
	ClearInf RangeClear = "inf"
	// ClearMax is exactly max_range: what Nav2's RangeSensorLayer (clear_on_max_reading) clears a sensor's cone with,
	// and what a fixed-distance consumer from before REP 117 expects.
	ClearMax RangeClear = "max"
)

// put writes a range in metres, ±Inf as REP 117 has it, into a message whose limits are filled in.
func (c RangeClear) put(m *jazzy.Range, distance float64) {
	m.Range = float32(distance)
	if c == ClearMax && math.IsInf(distance, 1) {
		m.Range = m.MaxRange // equal to the last bit: consumers compare with ==
	}
}
