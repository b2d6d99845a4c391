// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// heading gives the rotation by theta radians about the vertical axis.
func heading(theta float64) geometry_msgs.Quaternion {
	s, c := odometry.Sincos(theta / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}

func buildOdometry(m *nav_msgs.Odometry, f *functional) {
	p := &f.latest.pose
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = stamp(f.latest.stamp), f.set.odomFrame, f.set.baseFrame
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = p.X, p.Y
	m.Pose.Pose.Orientation = heading(p.Theta)
	p.PutPoseCovariance(&m.Pose.Covariance)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = p.V, p.Omega
	p.PutTwistCovariance(&m.Twist.Covariance)
}

func buildTransform(m *tf2_msgs.TFMessage, f *functional) {
	m.Transforms = m.Transforms[:0]
	if !f.set.publishTF {
		return
	}
	var t geometry_msgs.TransformStamped
	t.Header.Stamp, t.Header.FrameID, t.ChildFrameID = stamp(f.latest.stamp), f.set.odomFrame, f.set.baseFrame
	t.Transform.Translation.X, t.Transform.Translation.Y = f.latest.pose.X, f.latest.pose.Y
	t.Transform.Rotation = heading(f.latest.pose.Theta)
	m.Transforms = append(m.Transforms, t)
}

func buildMounts(m *tf2_msgs.TFMessage, f *functional) {
	m.Transforms = m.Transforms[:0]
	for _, mount := range epuck2.Mounts() {
		parent := f.set.baseFrame
		if mount.Parent != "" {
			parent = f.set.prefix + mount.Parent
		}
		t := geometry_msgs.TransformStamped{ChildFrameID: f.set.prefix + mount.Frame}
		t.Header.Stamp, t.Header.FrameID = stamp(f.latest.stamp), parent
		t.Transform.Translation = geometry_msgs.Vector3{X: mount.X, Y: mount.Y, Z: mount.Z}
		q := &t.Transform.Rotation
		q.X, q.Y, q.Z, q.W = mount.Quaternion()
		m.Transforms = append(m.Transforms, t)
	}
}

// joints are the names of the wheels' joints, left and right.
var joints = [2]string{"left_wheel_joint", "right_wheel_joint"}

func buildJoints(m *sensor_msgs.JointState, f *functional) {
	m.Header.Stamp = stamp(f.latest.stamp)
	m.Name = joints[:]
	m.Position, m.Velocity = f.latest.wheels[:], f.latest.speed[:]
}

// Geometry of the scan, as in the driver: rays from −150° on, 15° apart.
const (
	scanFirst = -150 * math.Pi / 180
	scanStep  = 15 * math.Pi / 180
)

func buildScan(m *sensor_msgs.LaserScan, f *functional, frame string) {
	m.Header.Stamp, m.Header.FrameID = stamp(f.latest.stamp), frame
	m.AngleMin, m.AngleIncrement = scanFirst, scanStep
	m.AngleMax = scanFirst + (epuck2.ScanRays-1)*scanStep
	m.ScanTime = float32(f.latest.period.Seconds())
	m.RangeMin, m.RangeMax = epuck2.MinScanRange, epuck2.MaxScanRange
	if m.Ranges == nil {
		m.Ranges = make([]float32, epuck2.ScanRays)
	}
	for i := range m.Ranges {
		m.Ranges[i] = float32(math.NaN()) // no sensor measures there
	}
	for i, s := range physics.Sensors() {
		if r := f.proximity(i); !math.IsInf(r, 1) {
			m.Ranges[ray(s.Heading)] = float32(r + s.Position.Norm())
		}
	}
	ahead := limited(f.latest.distance, epuck2.MinToFRange, epuck2.MaxToFRange)
	m.Ranges[ray(0)] = float32(ahead + physics.RangeFinder().Position.X)
}

// ray returns the index of the ray nearest to a direction.
func ray(angle float64) int { return int(math.Round((angle - scanFirst) / scanStep)) }

// Voltages between which the battery's percentage is told, V.
const (
	emptyVoltage = 3.3
	fullVoltage  = 4.138
)

func buildBattery(m *sensor_msgs.BatteryState, f *functional) {
	nan := float32(math.NaN())
	m.Header.Stamp = stamp(f.latest.stamp)
	m.Voltage = float32(f.latest.voltage)
	m.Percentage = float32(max(0, min(1, (f.latest.voltage-emptyVoltage)/(fullVoltage-emptyVoltage))))
	m.Temperature, m.Current, m.Charge, m.Capacity, m.DesignCapacity = nan, nan, nan, nan, nan
	m.Present = true
	m.PowerSupplyTechnology = sensor_msgs.BatteryStatePowerSupplyTechnologyLiIon
}
