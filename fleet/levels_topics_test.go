// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// sample is a message as both levels are compared by: what it measures, and everything else as text.
type sample struct {
	stamp  time.Duration // since the start of the world; when it was received for messages without a stamp
	values []float64
	meta   string
}

// recording is what a robot publishes, by topic.
type recording map[string][]sample

// record subscribes to a topic; split takes a message apart, its stamp is nil for messages without one.
func record[T any, P ros2.MessageOf[T]](g *rig, to recording, robot string, row table.Topic,
	split func(m *T) (stamp *builtin_interfaces.Time, meta string, values []float64)) {
	g.t.Helper()
	start := g.clock.Now()
	for _, name := range row.Names() {
		full := "/" + robot + "/" + name
		if name[0] == '/' {
			full = name
		}
		to[name] = nil
		sub, err := ros2.NewSubscription[T, P](g.node, full, row.QoS, func(m *T, _ ros2.MessageInfo) {
			at, meta, values := split(m)
			s := sample{stamp: g.clock.Now().Sub(start), meta: meta, values: values}
			if at != nil {
				s.stamp = time.Unix(int64(at.Sec), int64(at.Nanosec)).Sub(start)
			}
			to[name] = append(to[name], s)
		})
		if err != nil {
			g.t.Fatal(err)
		}
		g.t.Cleanup(func() { _ = sub.Close() })
	}
}

// recordAll records every topic that a robot publishes, but the camera's and the diagnostics: the pictures of both
// levels come from one renderer, and the diagnostics of a robot without chips have none to report on.
func recordAll(g *rig, robot string) recording {
	g.t.Helper()
	to := make(recording)
	for _, row := range table.Topics() {
		if row.Direction == table.Subscribed {
			continue
		}
		switch row.Name {
		case table.TopicOdom:
			record(g, to, robot, row, splitOdometry)
		case table.TopicTF:
			record(g, to, robot, row, splitTransforms)
		case table.TopicTFStatic:
			record(g, to, robot, row, func(m *tf2_msgs.TFMessage) (*builtin_interfaces.Time, string, []float64) {
				_, meta, values := splitTransforms(m)
				return nil, meta, values
			})
		case table.TopicScan:
			record(g, to, robot, row, splitScan)
		case table.TopicRange, table.TopicToF, table.TopicGround:
			record(g, to, robot, row, splitRange)
		case table.TopicCounts:
			record(g, to, robot, row, func(m *std_msgs.UInt16MultiArray) (*builtin_interfaces.Time, string, []float64) {
				return nil, fmt.Sprint(m.Layout), numbers(m.Data...)
			})
		case table.TopicLight:
			record(g, to, robot, row, func(m *sensor_msgs.Illuminance) (*builtin_interfaces.Time, string, []float64) {
				return &m.Header.Stamp, m.Header.FrameID, []float64{m.Illuminance, m.Variance}
			})
		case table.TopicJoints:
			record(g, to, robot, row, func(m *sensor_msgs.JointState) (*builtin_interfaces.Time, string, []float64) {
				return &m.Header.Stamp, fmt.Sprint(m.Header.FrameID, m.Name, m.Effort), append(numbers(m.Position...), m.Velocity...)
			})
		case table.TopicMic:
			record(g, to, robot, row, func(m *std_msgs.Int16) (*builtin_interfaces.Time, string, []float64) { return nil, "", numbers(m.Data) })
		case table.TopicButton:
			record(g, to, robot, row, func(m *std_msgs.Bool) (*builtin_interfaces.Time, string, []float64) {
				return nil, fmt.Sprint(m.Data), nil
			})
		case table.TopicSelector, table.TopicRemote:
			record(g, to, robot, row, func(m *std_msgs.UInt8) (*builtin_interfaces.Time, string, []float64) {
				return nil, fmt.Sprint(m.Data), nil
			})
		case table.TopicURDF:
			record(g, to, robot, row, func(m *std_msgs.String) (*builtin_interfaces.Time, string, []float64) { return nil, m.Data, nil })
		case table.TopicIMU:
			record(g, to, robot, row, splitInertial)
		case table.TopicMag:
			record(g, to, robot, row, func(m *sensor_msgs.MagneticField) (*builtin_interfaces.Time, string, []float64) {
				return &m.Header.Stamp, fmt.Sprint(m.Header.FrameID, m.MagneticFieldCovariance), vector(m.MagneticField)
			})
		case table.TopicBattery:
			record(g, to, robot, row, splitBattery)
		case table.TopicDiag, table.TopicImage, table.TopicJPEG, table.TopicCameraInfo:
		default:
			g.t.Errorf("topic %s is not compared", row.Name)
		}
	}
	return to
}

func numbers[T int16 | uint16 | float32 | float64](v ...T) []float64 {
	var all []float64
	for _, x := range v {
		all = append(all, float64(x))
	}
	return all
}

func vector(v geometry_msgs.Vector3) []float64 { return []float64{v.X, v.Y, v.Z} }

func splitOdometry(m *nav_msgs.Odometry) (*builtin_interfaces.Time, string, []float64) {
	p, q, w := &m.Pose.Pose.Position, &m.Pose.Pose.Orientation, &m.Twist.Twist
	values := []float64{p.X, p.Y, p.Z, q.X, q.Y, q.Z, q.W, w.Linear.X, w.Linear.Y, w.Angular.Z}
	values = append(append(values, m.Pose.Covariance[:]...), m.Twist.Covariance[:]...)
	return &m.Header.Stamp, fmt.Sprint(m.Header.FrameID, " ", m.ChildFrameID), values
}

func splitTransforms(m *tf2_msgs.TFMessage) (stamp *builtin_interfaces.Time, meta string, values []float64) {
	for i := range m.Transforms {
		t := &m.Transforms[i]
		stamp = &t.Header.Stamp
		meta += t.Header.FrameID + ">" + t.ChildFrameID + " "
		q := &t.Transform.Rotation
		values = append(append(values, vector(t.Transform.Translation)...), q.X, q.Y, q.Z, q.W)
	}
	return stamp, meta, values
}

func splitScan(m *sensor_msgs.LaserScan) (*builtin_interfaces.Time, string, []float64) {
	meta := fmt.Sprint(m.Header.FrameID, m.AngleMin, m.AngleMax, m.AngleIncrement, m.TimeIncrement, m.RangeMin, m.RangeMax, m.Intensities)
	return &m.Header.Stamp, meta, append(numbers(m.ScanTime), numbers(m.Ranges...)...)
}

func splitRange(m *jazzy.Range) (*builtin_interfaces.Time, string, []float64) {
	return &m.Header.Stamp, fmt.Sprint(m.Header.FrameID, m.RadiationType, m.FieldOfView, m.MinRange, m.MaxRange, m.Variance), numbers(m.Range)
}

func splitInertial(m *sensor_msgs.Imu) (*builtin_interfaces.Time, string, []float64) {
	values := append(vector(m.LinearAcceleration), vector(m.AngularVelocity)...)
	for i := range 3 { // measured by the calibration, and so not the same
		values = append(values, math.Sqrt(m.LinearAccelerationCovariance[4*i]), math.Sqrt(m.AngularVelocityCovariance[4*i]))
	}
	return &m.Header.Stamp, fmt.Sprint(m.Header.FrameID, m.Orientation, m.OrientationCovariance), values
}

func splitBattery(m *sensor_msgs.BatteryState) (*builtin_interfaces.Time, string, []float64) {
	values := numbers(m.Voltage, m.Percentage)
	c := *m
	c.Header.Stamp, c.Voltage, c.Percentage = builtin_interfaces.Time{}, 0, 0
	return &m.Header.Stamp, fmt.Sprintf("%+v", c), values
}
