// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	tdi "github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// describe asks the node /r/n for the description of a type.
func describe(a asker, hash string, sources bool) *tdi.GetTypeDescriptionResponse {
	a.Helper()
	return ask(a, tdi.GetTypeDescription{}, "get_type_description",
		&tdi.GetTypeDescriptionRequest{TypeName: "any", TypeHash_: hash, IncludeTypeSources: sources})
}

// withTypes runs a check with a node /r/n that uses some types.
func withTypes(t *testing.T, check func(a asker, n *ros2.Node)) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := standardNode(t, tr, nil, "")
		if _, err := ros2.NewPublisher[geometry_msgs.PoseStamped](n, "pose", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewSubscription(n, "empty", ros2.DefaultQoS(), func(*std_msgs.Empty, ros2.MessageInfo) {}); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewSharedPublisher[jazzy.Range](n, "range", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewClient(n, std_srvs.Trigger{}, "trigger"); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewPublisher[chatter](n, "chatter", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		check(asker{t, newNode(t, tr, "asker")}, n)
	})
}

// Descriptions equal those of a ROS 2 Jazzy node for the same types: names, numbers, defaults, order.
func TestDescribeType(t *testing.T) {
	withTypes(t, func(a asker, _ *ros2.Node) {
		got := describe(a, new(geometry_msgs.PoseStamped).TypeHash(), true)
		if !got.Successful || got.FailureReason != "" {
			a.Fatalf("%+v", got)
		}
		field := func(name string, id uint8, nested, def string) tdi.Field {
			return tdi.Field{Name: name, Type: tdi.FieldType{TypeID: id, NestedTypeName: nested}, DefaultValue: def}
		}
		want := tdi.TypeDescription{
			TypeDescription: tdi.IndividualTypeDescription{TypeName: "geometry_msgs/msg/PoseStamped", Fields: []tdi.Field{
				field("header", 1, "std_msgs/msg/Header", ""), field("pose", 1, "geometry_msgs/msg/Pose", "")}},
			ReferencedTypeDescriptions: []tdi.IndividualTypeDescription{
				{TypeName: "builtin_interfaces/msg/Time", Fields: []tdi.Field{field("sec", 6, "", ""), field("nanosec", 7, "", "")}},
				{TypeName: "geometry_msgs/msg/Point", Fields: []tdi.Field{field("x", 11, "", ""), field("y", 11, "", ""), field("z", 11, "", "")}},
				{TypeName: "geometry_msgs/msg/Pose", Fields: []tdi.Field{
					field("position", 1, "geometry_msgs/msg/Point", ""), field("orientation", 1, "geometry_msgs/msg/Quaternion", "")}},
				{TypeName: "geometry_msgs/msg/Quaternion", Fields: []tdi.Field{
					field("x", 11, "", "0.0"), field("y", 11, "", "0.0"), field("z", 11, "", "0.0"), field("w", 11, "", "1.0")}},
				{TypeName: "std_msgs/msg/Header", Fields: []tdi.Field{
					field("stamp", 1, "builtin_interfaces/msg/Time", ""), field("frame_id", 17, "", "")}},
			},
		}
		if diff := cmp.Diff(want, got.TypeDescription, cmpopts.EquateEmpty()); diff != "" {
			a.Errorf("(-want +got):\n%s", diff)
		}
		var sources []string
		for _, s := range got.TypeSources {
			sources = append(sources, s.TypeName+" "+s.Encoding)
		}
		if want := []string{"geometry_msgs/msg/PoseStamped msg", "builtin_interfaces/msg/Time msg", "geometry_msgs/msg/Point msg",
			"geometry_msgs/msg/Pose msg", "geometry_msgs/msg/Quaternion msg", "std_msgs/msg/Header msg"}; !slices.Equal(sources, want) {
			a.Errorf("sources %q", sources)
		}
		if text := got.TypeSources[0].RawFileContents; text != "std_msgs/msg/Header header\ngeometry_msgs/msg/Pose pose\n" {
			a.Errorf("source %q", text)
		}
	})
}

// A service is one type with request, response and introspection event as nested types.
func TestDescribeService(t *testing.T) {
	withTypes(t, func(a asker, _ *ros2.Node) {
		got := describe(a, std_srvs.Trigger{}.TypeHash(), true)
		var names, sources []string
		for _, d := range append([]tdi.IndividualTypeDescription{got.TypeDescription.TypeDescription}, got.TypeDescription.ReferencedTypeDescriptions...) {
			names = append(names, d.TypeName)
		}
		for _, s := range got.TypeSources {
			sources = append(sources, s.Encoding+" "+s.RawFileContents)
		}
		if want := []string{"std_srvs/srv/Trigger", "builtin_interfaces/msg/Time", "service_msgs/msg/ServiceEventInfo",
			"std_srvs/srv/Trigger_Event", "std_srvs/srv/Trigger_Request", "std_srvs/srv/Trigger_Response"}; !slices.Equal(names, want) {
			a.Errorf("%q, reason %q", names, got.FailureReason)
		}
		if len(sources) != 6 || sources[0] != "srv ---\nbool success\nstring message\n" || sources[3] != "implicit " ||
			!strings.HasPrefix(sources[2], "msg uint8 REQUEST_SENT=0\n") {
			a.Errorf("sources %q", sources)
		}
		if m := got.TypeDescription.ReferencedTypeDescriptions; m[3].Fields[0].Name != "structure_needs_at_least_one_member" || m[2].Fields[1].Type.TypeID != 97 {
			a.Errorf("%+v", m)
		}
	})
}

// Invalid requests and their responses; the name is ignored, as in rcl.
func TestDescribeTypeRefuses(t *testing.T) {
	withTypes(t, func(a asker, n *ros2.Node) {
		empty := new(std_msgs.Empty).TypeHash()
		for _, c := range []struct{ hash, reason string }{
			{empty, ""},
			{strings.ToUpper(empty[7:]), "Failed to parse type hash"},
			{"RIHS01_" + strings.ToUpper(empty[7:]), ""},
			{new(jazzy.Range).TypeHash(), ""},
			{tdi.GetTypeDescription{}.TypeHash(), ""},
			{"", "Failed to parse type hash"},
			{"RIHS02" + empty[6:], "Failed to parse type hash"},
			{empty + "00", "Failed to parse type hash"},
			{new(std_msgs.String).TypeHash(), "Type not currently in use by this node"},
			{new(std_srvs.TriggerRequest).TypeHash(), "Type not currently in use by this node"},
			{new(chatter).TypeHash(), "has no definition"},
		} {
			got := describe(a, c.hash, false)
			if got.Successful != (c.reason == "") || !strings.Contains(got.FailureReason, c.reason) || len(got.TypeSources) != 0 {
				a.Errorf("%q: %v %q, want %q", c.hash, got.Successful, got.FailureReason, c.reason)
			}
		}
		p, err := ros2.NewPublisher[std_msgs.String](n, "s", ros2.DefaultQoS())
		if err != nil {
			a.Fatal(err)
		}
		if got := describe(a, new(std_msgs.String).TypeHash(), false); !got.Successful {
			a.Errorf("in use now: %q", got.FailureReason)
		}
		p.Close()
		if got := describe(a, new(std_msgs.String).TypeHash(), false); got.Successful {
			a.Error("no longer in use, but described")
		}
	})
}
