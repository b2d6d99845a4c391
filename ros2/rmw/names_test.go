// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestTopicNames(t *testing.T) {
	for ros, dds := range map[string]string{"/odom": "rt/odom", "/robot1/image_raw/compressed": "rt/robot1/image_raw/compressed"} {
		if got := MangleTopic(ros); got != dds {
			t.Errorf("%s is %q, want %q", ros, got, dds)
		}
		if got, role := DemangleTopic(dds); got != ros || role != TopicRole {
			t.Errorf("%s stands for %q, role %d", dds, got, role)
		}
	}
	request, reply := MangleService("/r/reset")
	if request != "rq/r/resetRequest" || reply != "rr/r/resetReply" {
		t.Errorf("service topics %q, %q", request, reply)
	}
	for dds, want := range map[string]Role{
		"rq/r/resetRequest": RequestRole, "rr/r/resetReply": ReplyRole,
		"ros_discovery_info": NotROS, "rt": NotROS, "rt/": NotROS, "rt/a//b": NotROS, "rt/a b": NotROS,
		"rq/reset": NotROS, "rq/Request": NotROS, "rr/aRequest": NotROS, "rs/a": NotROS, "": NotROS, "/a": NotROS,
	} {
		if name, role := DemangleTopic(dds); role != want || (role == NotROS && name != dds) {
			t.Errorf("%q: %q, role %d, want %d", dds, name, role, want)
		}
	}
}

func TestTypeNames(t *testing.T) {
	for ros, dds := range map[string]string{
		"nav_msgs/msg/Odometry":                      "nav_msgs::msg::dds_::Odometry_",
		"std_srvs/srv/Trigger_Request":               "std_srvs::srv::dds_::Trigger_Request_",
		"rmw_dds_common/msg/Gid":                     "rmw_dds_common::msg::dds_::Gid_",
		"a/B":                                        "a::dds_::B_",
		"x/action/Fibonacci_FeedbackMessage":         "x::action::dds_::Fibonacci_FeedbackMessage_",
		"rmw_dds_common/msg/ParticipantEntitiesInfo": graphType,
	} {
		got, err := MangleType(ros)
		back, ok := DemangleType(dds)
		if err != nil || got != dds || !ok || back != ros {
			t.Errorf("%s: %q, %v; back %q, %v", ros, got, err, back, ok)
		}
	}
	for _, ros := range []string{"", "Odometry", "a//B", "a/b c", "/a/B", "a/B/", "a/1B", "a::b/C"} {
		if got, err := MangleType(ros); !errors.Is(err, ErrName) {
			t.Errorf("%q: %q, %v", ros, got, err)
		}
	}
	for _, dds := range []string{"", "ShapeType", "a::b::C", "a::dds_::C", "a::msg::C_", "::dds_::C_", "dds_::C_", "a::dds_::_", "a::dds_::b/c_"} {
		if got, ok := DemangleType(dds); ok || got != dds {
			t.Errorf("%q: %q, %v", dds, got, ok)
		}
	}
}

func TestServiceType(t *testing.T) {
	for dds, want := range map[string]string{
		"std_srvs::srv::dds_::Trigger_Request_":  "std_srvs/srv/Trigger",
		"std_srvs::srv::dds_::Trigger_Response_": "std_srvs/srv/Trigger",
	} {
		if got, ok := serviceType(dds); !ok || got != want {
			t.Errorf("%s: %q, %v", dds, got, ok)
		}
	}
	for _, dds := range []string{"std_msgs::msg::dds_::Bool_", "x"} {
		if got, ok := serviceType(dds); ok {
			t.Errorf("%s passes for a service: %q", dds, got)
		}
	}
}

// Mangling is reversible for every valid name.
func TestMangleProperty(t *testing.T) {
	word := rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		name := ""
		for _, w := range rapid.SliceOfN(word, 1, 4).Draw(t, "words") {
			name += "/" + w
		}
		if got, role := DemangleTopic(MangleTopic(name)); got != name || role != TopicRole {
			t.Fatalf("%q comes back as %q", name, got)
		}
		request, reply := MangleService(name)
		if got, role := DemangleTopic(request); got != name || role != RequestRole {
			t.Fatalf("requests of %q come back as %q", name, got)
		}
		if got, role := DemangleTopic(reply); got != name || role != ReplyRole {
			t.Fatalf("replies of %q come back as %q", name, got)
		}
		typ := word.Draw(t, "package") + "/msg" + name
		dds, err := MangleType(typ)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := DemangleType(dds); !ok || got != typ {
			t.Fatalf("%q comes back as %q", typ, got)
		}
	})
}
