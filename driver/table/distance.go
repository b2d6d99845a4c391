// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// newRange returns the builder of the range of infrared sensor i in the given frame.
//
// The message has the form of ROS 2 Jazzy and later, with a variance at its end: readers of Humble's form ignore the
// extra field, while Jazzy's refuse a message without it. The variance is 0, unknown: the offset of an uncalibrated
// sensor is larger than its noise.
func newRange(i int, frame string) func(m *jazzy.Range, r *Reading) bool {
	return func(m *jazzy.Range, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Stamp, frame
		m.RadiationType = jazzy.RangeInfrared
		m.FieldOfView = robot.InfraredFieldOfView
		m.MinRange, m.MaxRange = robot.MinInfraredRange, robot.MaxInfraredRange
		r.Set.RangeClear.put(m, epuck2.InfraredRange(i, &r.Sensors, &r.Set.Correct.Infrared[i]))
		return true
	}
}

// newCounts returns the builder of the infrared sensors' raw readings in counts.
func newCounts() func(m *std_msgs.UInt16MultiArray, r *Reading) bool {
	dimension := []std_msgs.MultiArrayDimension{{Label: "sensor", Size: 8, Stride: 8}}
	data := make([]uint16, 8)
	return func(m *std_msgs.UInt16MultiArray, r *Reading) bool {
		copy(data, r.Sensors.Proximity[:])
		m.Layout.Dim, m.Data = dimension, data
		return true
	}
}

// ToFStale is the age from which a time-of-flight distance is no longer put into the scan.
const ToFStale = 200 * time.Millisecond

// newScan returns the builder of the scan in the given frame.
//
// Its time_increment is 0: the rays are not measured in sequence. The firmware measures all sensors every 10 ms and
// the exchange reads them at once, so the stamp is valid for all, to 10 ms. scan_time is measured. The time-of-flight
// sensor's ray is the latest measurement, which is at most one cycle old while the sensor keeps its rate.
func newScan(frame string) func(m *sensor_msgs.LaserScan, r *Reading) bool {
	layout := epuck2.NewScanLayout()
	rays := new([robot.ScanRays]float32)
	return func(m *sensor_msgs.LaserScan, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Stamp, frame
		m.AngleMin, m.AngleIncrement = robot.ScanFirst, robot.ScanStep
		m.AngleMax = robot.ScanFirst + (robot.ScanRays-1)*robot.ScanStep
		m.ScanTime = float32(r.Period)
		m.RangeMin, m.RangeMax = robot.MinScanRange, robot.MaxScanRange
		layout.Fill(rays, &r.Sensors, &r.Set.Correct.Infrared, r.Set.InvalidRay)
		if r.Ahead {
			epuck2.PutToF(rays, r.ToF.Distance, r.Set.InvalidRay)
		}
		m.Ranges = rays[:]
		return true
	}
}

// newIlluminance returns the builder of the light at sensor i in the given frame.
func newIlluminance(i int, frame string) func(m *sensor_msgs.Illuminance, r *Reading) bool {
	return func(m *sensor_msgs.Illuminance, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Stamp, frame
		m.Illuminance, m.Variance = epuck2.Lux(r.Sensors.Ambient[i])
		return !r.Sensors.Refused.Has(mcu.ValueAmbient(i))
	}
}

// newToF returns the builder of the time-of-flight sensor's range in the given frame. For its form see newRange.
func newToF(frame string) func(m *jazzy.Range, r *Reading) bool {
	return func(m *jazzy.Range, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.ToF.Stamp, frame
		m.RadiationType = jazzy.RangeInfrared
		m.FieldOfView = robot.ToFAperture
		m.MinRange, m.MaxRange = robot.MinToFRange, robot.MaxToFRange
		r.Set.RangeClear.put(m, epuck2.ToFRange(r.ToF.Distance))
		return true
	}
}

// newGround returns the builder of the range of ground sensor i in the given frame. For its form see newRange.
func newGround(i int, frame string) func(m *jazzy.Range, r *Reading) bool {
	return func(m *jazzy.Range, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Ground.Stamp, frame
		m.RadiationType = jazzy.RangeInfrared
		m.FieldOfView = robot.GroundFieldOfView
		m.MinRange, m.MaxRange = robot.MinGroundRange, robot.MaxGroundRange
		m.Range = float32(r.Ground.Height[i])
		return true
	}
}

// RangeClear is the value of the Range topics of the infrared and time-of-flight sensors without an object within range
// (parameter range_clear).
type RangeClear string

// The values of the parameter range_clear.
const (
	// clearInf is +Inf, as in REP 117. It is the default.
	clearInf RangeClear = "inf"
	// clearMax is exactly max_range: Nav2's RangeSensorLayer (clear_on_max_reading) clears a sensor's cone with it,
	// and fixed-distance consumers from before REP 117 expect it.
	clearMax RangeClear = "max"
)

// put writes a range in metres, ±Inf as in REP 117, into a message whose limits are set.
func (c RangeClear) put(m *jazzy.Range, distance float64) {
	m.Range = float32(distance)
	if c == clearMax && math.IsInf(distance, 1) {
		m.Range = m.MaxRange // exactly equal: consumers compare with ==
	}
}
