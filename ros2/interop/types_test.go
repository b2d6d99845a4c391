// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

func stampedHeader(frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: -7, Nanosec: 123456789}, FrameID: frame}
}

var wantStamped = stamped{Sec: -7, Nanosec: 123456789}

func sampleOdometry() (*nav_msgs.Odometry, event) {
	m := &nav_msgs.Odometry{Header: stampedHeader("odom"), ChildFrameID: "base_link"}
	m.Pose.Pose.Position = geometry_msgs.Point{X: 1, Y: 2, Z: 3}
	m.Pose.Pose.Orientation = geometry_msgs.Quaternion{X: 4, Y: 5, Z: 6, W: 7}
	m.Twist.Twist.Linear = geometry_msgs.Vector3{X: 8, Y: 9, Z: 10}
	m.Twist.Twist.Angular = geometry_msgs.Vector3{X: 11, Y: 12, Z: 13}
	want := event{
		stamped: wantStamped, ChildFrameID: "base_link", Position: []number{1, 2, 3}, Orientation: []number{4, 5, 6, 7},
		Linear: []number{8, 9, 10}, Angular: []number{11, 12, 13},
	}
	want.FrameID = "odom"
	for i := range 36 {
		m.Pose.Covariance[i], m.Twist.Covariance[i] = float64(i), float64(-i)
		want.PoseCovariance = append(want.PoseCovariance, number(i))
		want.TwistCovariance = append(want.TwistCovariance, number(-i))
	}
	return m, want
}

func sampleTF() (*tf2_msgs.TFMessage, event) {
	m, want := &tf2_msgs.TFMessage{}, event{}
	for i, child := range []string{"ps0", "", "a frame whose name is rather long"} {
		t := geometry_msgs.TransformStamped{Header: stampedHeader("base_link"), ChildFrameID: child}
		t.Transform.Translation = geometry_msgs.Vector3{X: float64(i), Y: math.Inf(-1), Z: 0.1}
		t.Transform.Rotation = geometry_msgs.Quaternion{X: 0.1, Y: 0.2, Z: 0.3, W: 0.4}
		m.Transforms = append(m.Transforms, t)
		w := transform{stamped: wantStamped, ChildFrameID: child,
			Translation: []number{number(i), number(math.Inf(-1)), 0.1}, Rotation: []number{0.1, 0.2, 0.3, 0.4}}
		w.FrameID = "base_link"
		want.Transforms = append(want.Transforms, w)
	}
	return m, want
}

func sampleScan() (*sensor_msgs.LaserScan, event) {
	m := &sensor_msgs.LaserScan{
		Header: stampedHeader("laser_scanner"), AngleMin: -2.5, AngleMax: 2.5, AngleIncrement: 0.25, TimeIncrement: 0.5,
		ScanTime: 0.75, RangeMin: 0.125, RangeMax: 2, Intensities: []float32{},
	}
	want := event{
		stamped: wantStamped, AngleMin: -2.5, AngleMax: 2.5, AngleIncrement: 0.25, TimeIncrement: 0.5,
		ScanTime: 0.75, RangeMin: 0.125, RangeMax: 2, Intensities: []number{},
	}
	want.FrameID = "laser_scanner"
	for _, r := range []float64{1, math.Inf(1), math.NaN(), math.Inf(-1), 0.5} {
		m.Ranges = append(m.Ranges, float32(r))
		want.Ranges = append(want.Ranges, number(r))
	}
	return m, want
}

func sampleRange() (*sensor_msgs.Range, event) {
	m := &sensor_msgs.Range{Header: stampedHeader("ps0"), RadiationType: 1, FieldOfView: 0.5, MinRange: 0.25, MaxRange: 4, Range: 2}
	want := event{stamped: wantStamped, RadiationType: 1, FieldOfView: 0.5, RangeMin: 0.25, RangeMax: 4, Range: 2}
	want.FrameID = "ps0"
	return m, want
}

// TestPeersDecodeOurTypes: the peers' decoders decode every field.
func TestPeersDecodeOurTypes(t *testing.T) {
	odometry, wantOdometry := sampleOdometry()
	tf, wantTF := sampleTF()
	scan, wantScan := sampleScan()
	rng, wantRange := sampleRange()
	later := &jazzy.Range{Header: rng.Header, RadiationType: 1, FieldOfView: 0.5, MinRange: 0.25, MaxRange: 4, Range: 2, Variance: 9}
	cases := []struct {
		kind, typ string
		message   cdr.Marshaler
		want      event
	}{
		{"odometry", typeOdometry, odometry, wantOdometry},
		{"tf", typeTF, tf, wantTF},
		{"tf", typeTF, &tf2_msgs.TFMessage{}, event{Transforms: []transform{}}},
		{"scan", typeScan, scan, wantScan},
		{"range", typeRange, rng, wantRange},
		// the field that later ROS 2 appends is ignored by readers of Humble's form
		{"range", typeRange, later, wantRange},
	}
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		p := s.start(t, domain, 0)
		o := startOurs(t, rtps.Config{DomainID: domain})
		for i, c := range cases {
			topic := "rt/" + c.kind + string(rune('0'+i))
			p.send("reader r%d %s %s %s", i, c.kind, topic, qos{reliable: true, transientLocal: true}.words())
			o.writer(topic, c.typ, qos{reliable: true, transientLocal: true}).write(marshal(c.message))
			got := p.sample("r" + string(rune('0'+i)))
			c.want.Event, c.want.ID, c.want.N, c.want.line = got.Event, got.ID, 1, got.line
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(event{}, transform{}), equalNumbers); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.kind, diff)
			}
		}
	})
}

// equalNumbers compares numbers; NaN equals itself.
var equalNumbers = cmp.Comparer(func(a, b number) bool {
	return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
})
