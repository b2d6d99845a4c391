// SPDX-License-Identifier: Apache-2.0

package node

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// reading is a beam in the base frame, and the time of its measurement.
type reading struct {
	at   time.Time
	beam mapping.Beam
}

// ofRange converts a message of a sensor with a cone; ok is false for a range that is not a number or too short to be
// measured, and for a sensor without a transform.
func (n *Node) ofRange(m *sensor_msgs.Range) (r reading, ok bool) {
	mount, err := n.frames.lookup(n.cfg.BaseFrame, m.Header.FrameID)
	var from mapping.Pose
	if err == nil {
		from, err = mount.beam()
	}
	if err != nil {
		n.reportMissing(m.Header.FrameID, m.Header.Stamp.Time(), err)
		return reading{}, false
	}
	distance := float64(m.Range)
	switch {
	case math.IsNaN(distance) || distance <= 0:
		return reading{}, false
	case distance >= float64(m.MaxRange): // +Inf by REP 117, or max_range as Nav2's RangeSensorLayer expects it
		distance = math.Inf(1)
	}
	return reading{m.Header.Stamp.Time(), mapping.Beam{
		From: from, HalfAngle: float64(m.FieldOfView) / 2, Range: distance, Max: float64(m.MaxRange),
	}}, true
}

// ofScan calls each with one reading for each ray of a scan, with its own time.
func (n *Node) ofScan(m *sensor_msgs.LaserScan, each func(reading)) {
	mount, err := n.frames.lookup(n.cfg.BaseFrame, m.Header.FrameID)
	var sensor mapping.Pose
	direction := 1.0
	if err == nil {
		sensor, direction, err = mount.fan()
	}
	if err != nil {
		n.reportMissing(m.Header.FrameID, m.Header.Stamp.Time(), err)
		return
	}
	start := m.Header.Stamp.Time()
	for i, v := range m.Ranges {
		distance := float64(v)
		if math.IsNaN(distance) || distance < float64(m.RangeMin) {
			continue
		}
		if distance > float64(m.RangeMax) {
			distance = math.Inf(1)
		}
		from := sensor
		from.Theta += direction * (float64(m.AngleMin) + float64(i)*float64(m.AngleIncrement))
		after := time.Duration(float64(i) * float64(m.TimeIncrement) * float64(time.Second))
		each(reading{start.Add(after), mapping.Beam{From: from, Range: distance, Max: float64(m.RangeMax)}})
	}
}
