// SPDX-License-Identifier: Apache-2.0

package foxglove

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
	`{"op":"advertise","channels":[{"id":1,"topic":"/a","encoding":"json","schemaName":"std_msgs/String"}]}`, `{"op":"subscribe","subscriptions":[{"id":1,"channelId":1,"period":1e300}]}`,
	`{"op":"unsubscribe","subscriptionIds":[1]}`, `{"op":"setParameters","parameters":[{"name":"/robot.use_sim_time","value":true}],"id":"x"}`, `{"op":"getParameters","parameterNames":[]}`,
	`{"op":"subscribeParameterUpdates","parameterNames":["/robot.a"]}`, `{"op":"subscribeConnectionGraph"}`, `{"op":"fetchAsset","uri":"package://a/b","requestId":1}`,
	`{"op":"takeControl","robot":"/","force":true}`, `{"op":"drive","robot":"/","v":1,"w":-1e400}`, `{"op":"drive","robot":"/","v":1,"w":0,"t":1e300}`, `{"op":"acknowledge","subscriptionId":4}`, `{"op":"offer","id":"1","sdp":"v=0"}`, `{"op":"describe","id":1,"type":"std_msgs/msg/Bool"}`,
}

func newFuzzed(ctx context.Context, h *hub.Hub, who *teleop.Arbiter) *client {
	s, _ := New(Config{Hub: h, Arbiter: who})
	return &client{
		server: s, hub: h, role: guard.Drive, box: outbox.New(0), driver: &teleop.Driver{}, ctx: ctx, news: make(chan struct{}, 1),
		events: make(chan []byte, maxEvents), calls: make(chan struct{}, maxCalls), page: true,
	}
}
