// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/testdefs/test_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
)

// The first golden line of a type is a message with rclpy's defaults.
func TestDefaultsAreThoseOfROS2(t *testing.T) {
	quaternion, pose := geometry_msgs.DefaultQuaternion(), geometry_msgs.DefaultPose()
	stamped, transform := geometry_msgs.DefaultPoseStamped(), geometry_msgs.DefaultTransformStamped()
	uncertain, odometry := geometry_msgs.DefaultPoseWithCovarianceStamped(), nav_msgs.DefaultOdometry()
	grid, info := nav_msgs.DefaultOccupancyGrid(), nav_msgs.DefaultMapMetaData()
	imu, marker, reply := sensor_msgs.DefaultImu(), visualization_msgs.DefaultMarker(), nav_msgs.DefaultGetMapResponse()
	withDefault := map[string]msgs.Message{}
	for _, m := range []msgs.Message{
		&quaternion, &pose, &stamped, &transform, &uncertain, &odometry, &grid, &info, &imu, &marker, &reply,
	} {
		withDefault[m.ROSType()] = m
	}
	seen := map[string]bool{}
	for _, g := range goldens(t) {
		if seen[g.name] {
			continue
		}
		seen[g.name] = true
		want, got := g.empty(t), withDefault[g.name]
		if got == nil {
			got = g.empty(t) // the default is the zero value
		}
		if err := cdr.Unmarshal(g.data, want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, sameValue); diff != "" {
			t.Errorf("default of %s (-want +got):\n%s", g.name, diff)
		}
	}
}

func TestDefaultsOfEveryBaseType(t *testing.T) {
	want := test_msgs.Defaults{
		BoolValue: true, ByteValue: 0x12, CharValue: 65, Float32Value: 0.5, Float64Value: -6.25,
		Int8Value: -8, Uint8Value: 8, Int16Value: -16, Uint16Value: 16,
		Int32Value: -32, Uint32Value: 32, Int64Value: -64, Uint64Value: 64,
	}
	if diff := cmp.Diff(want, test_msgs.DefaultDefaults()); diff != "" {
		t.Error(diff)
	}
	arrays := test_msgs.DefaultArrays()
	if arrays.DefaultsValues[2] != want {
		t.Errorf("default inside an array: %+v", arrays.DefaultsValues[2])
	}
	if want := [3]int64{math.MaxInt64, 0, math.MinInt64}; arrays.Int64ValuesDefault != want {
		t.Errorf("int64[3] default %v", arrays.Int64ValuesDefault)
	}
	if want := [3]string{"a, b", `c # "d"`, ""}; arrays.StringValuesDefault != want {
		t.Errorf("string[3] default %q", arrays.StringValuesDefault)
	}
	seqs := test_msgs.DefaultUnboundedSequences()
	if len(seqs.DefaultsValues) != 0 || !cmp.Equal(seqs.Uint64ValuesDefault, []uint64{7, 0, math.MaxUint64}) {
		t.Errorf("defaults of sequences: %+v", seqs)
	}
	if s := test_msgs.DefaultStrings(); s.StringValueDefault4 != "escaped 'quote'" || s.BoundedStringValueDefault5 != `escaped "quote"` {
		t.Errorf("defaults of strings: %+v", s)
	}
}
