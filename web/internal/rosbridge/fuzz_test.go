// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// FuzzHandle: whatever a client says is answered or ends its connection, and no more.
func FuzzHandle(f *testing.F) {
	for _, s := range seeds {
		f.Add(true, []byte(s))
	}
	f.Add(false, []byte{1, 1, 0, 0, 0, '{', '}'})
	f.Add(false, []byte{2, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 'j', 's', 'o', 'n', '{', '}'})
	f.Fuzz(func(t *testing.T, text bool, data []byte) {
		ether := ros2test.NewNetwork()
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ether.NewTransport(), Standard: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewPublisher[std_msgs.String](node, "chatter", ros2.LatchedQoS()); err != nil {
			t.Fatal(err)
		}
		h, err := hub.New(hub.Config{Transport: ether.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
		if err != nil {
			t.Fatal(err)
		}
		who := teleop.New(teleop.Config{Open: teleop.OnHub(h)})
		ctx, cancel := context.WithCancel(t.Context())
		c := newFuzzed(ctx, h, who)
		_ = c.handle(ctx, text, data) // may refuse it
		cancel()
		c.end()
		who.Close()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	})
}

var seeds = []string{
	`{"op":"advertise","topic":"/a","type":"std_msgs/String"}`, `{"op":"publish","topic":"a","type":"std_msgs/msg/String","msg":{"data":"x"}}`,
	`{"op":"subscribe","topic":"/chatter","throttle_rate":1,"queue_length":3,"compression":"cbor-raw"}`, `{"op":"unsubscribe","topic":"/chatter"}`,
	`{"op":"call_service","service":"/robot/get_parameters","args":[["use_sim_time"]]}`, `{"op":"call_service","service":"/rosapi/get_param","args":{"name":"/robot:use_sim_time"}}`,
	`{"op":"advertise_service","service":"/s","type":"std_srvs/SetBool"}`, `{"op":"unadvertise_service","service":"/s"}`,
	`{"op":"service_response","service":"/s","id":"service_request:/s:1","values":{},"result":true}`,
	`{"op":"send_action_goal","id":1,"action":"/a","action_type":"example_interfaces/Fibonacci","args":{"order":3},"feedback":true}`,
	`{"op":"advertise_action","action":"/a","type":"example_interfaces/Fibonacci"}`, `{"op":"cancel_action_goal","id":"x","action":"/a"}`,
	`{"op":"action_feedback","id":"action_goal:/a:1","action":"/a","values":{}}`,
	`{"op":"action_result","id":"action_goal:/a:1","action":"/a","values":{},"status":4,"result":true}`,
	`{"op":"fragment","id":"f","num":0,"total":1,"data":"{\"op\":\"status\"}"}`, `{"op":"png","data":"aGk="}`,
	`{"op":"set_level","level":"info"}`, `{"op":"call_service","service":"/rosapi/topics_and_raw_types"}`,
	`{"op":"publish","topic":"/f","type":"std_msgs/Float64","msg":{"data":-Infinity}}`,
	`{"op":"publish","topic":"/cmd_vel","type":"geometry_msgs/Twist","msg":{"linear":{"x":1e308}}}`,
}

func newFuzzed(ctx context.Context, h *hub.Hub, who *teleop.Arbiter) *client {
	return newClient(ctx, h, who, guard.Drive, outbox.New(0), &teleop.Driver{})
}
