// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// captured is one ddsEndpoint that real ROS 2 nodes announced.
type captured struct {
	session string
	data    wire.EndpointData
}

// captures returns the endpoints announced by rclpy nodes and the ros2 command on
// Humble and Jazzy, on both DDS implementations.
func captures(t *testing.T) (out []captured) {
	t.Helper()
	for _, line := range lines(t, "endpoint_captures.txt") {
		f := strings.Fields(line) // session, kind, topic, type, USER_DATA
		c := captured{f[0], wire.EndpointData{Topic: f[2], Type: f[3], QoS: wire.DefaultReaderQoS()}}
		c.data.GUID.Entity = wire.NewEntityID(1, wire.KindReader)
		if f[1] == "writer" {
			c.data.GUID.Entity = wire.NewEntityID(1, wire.KindWriter)
		}
		if f[4] != "-" {
			c.data.UserData = unhex(t, f[4])
		}
		out = append(out, c)
	}
	return out
}

// Demangled names of real endpoints mangle to the same DDS names.
func TestCapturedNames(t *testing.T) {
	for _, c := range captures(t) {
		rosType, ok := DemangleType(c.data.Type)
		if again, err := MangleType(rosType); !ok || err != nil || again != c.data.Type {
			t.Errorf("type %s: %q, %v, %v", c.data.Type, rosType, ok, err)
		}
		name, role := DemangleTopic(c.data.Topic)
		request, reply := MangleService(name)
		again := map[Role]string{NotROS: graphTopic, TopicRole: MangleTopic(name), RequestRole: request, ReplyRole: reply}[role]
		if again != c.data.Topic {
			t.Errorf("topic %s: %q, role %d", c.data.Topic, name, role)
		}
	}
}

// The description of real endpoints in the graph.
func TestCapturedEndpoints(t *testing.T) {
	kinds := map[string]map[ros2.EndpointKind]int{}
	for _, c := range captures(t) {
		info, ok := endpointInfo(&c.data, ros2.NodeName{})
		if !ok {
			continue
		}
		if kinds[c.session] == nil {
			kinds[c.session] = map[ros2.EndpointKind]int{}
		}
		kinds[c.session][info.Kind]++
		if err := ros2.ValidateFullName(info.Topic); err != nil {
			t.Errorf("%s: %v", c.session, err)
		}
		if strings.HasPrefix(info.Topic, "/robot1/odom") && info.Type != "nav_msgs/msg/Odometry" {
			t.Errorf("%s: %+v", c.session, info)
		}
		if info.Topic == "/robot1/reset_odometry" && (info.Type != "std_srvs/srv/Trigger" || info.Kind < ros2.ServiceEndpoint) {
			t.Errorf("%s: %+v", c.session, info)
		}
	}
	if len(kinds) != 4 {
		t.Errorf("sessions %v", kinds)
	}
	for session, n := range kinds {
		if n[ros2.PublisherEndpoint] < 5 || n[ros2.SubscriptionEndpoint] < 1 || n[ros2.ServiceEndpoint] < 7 || n[ros2.ClientEndpoint] < 1 {
			t.Errorf("%s: %v", session, n)
		}
	}
}

// Jazzy announces the type hash with every endpoint, equal to ours if we have the type; Humble announces none. This
// distinguishes the forms of graph messages.
func TestCapturedTypeHashes(t *testing.T) {
	compared := 0
	for _, c := range captures(t) {
		hash := endpointTypeHash(c.data.UserData)
		jazzy := strings.HasPrefix(c.session, "jazzy")
		if (hash != "") != jazzy || (graphVariant(c.data) == ironVariant) != jazzy {
			t.Errorf("%s, %s: hash %q", c.session, c.data.Topic, hash)
		}
		if c.data.Topic == graphTopic {
			if jazzy && hash != graphHash {
				t.Errorf("%s: hash of the graph %s", c.session, hash)
			}
			continue
		}
		rosType, _ := DemangleType(c.data.Type)
		// Range has an additional field since Jazzy; the package has both forms.
		if newMessage, known := msgs.Lookup(rosType); jazzy && known && rosType != "sensor_msgs/msg/Range" {
			compared++
			if ours := newMessage().TypeHash(); ours != hash {
				t.Errorf("%s: %s has the hash %s, ours is %s", c.session, rosType, hash, ours)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d hashes compared", compared)
	}
}
