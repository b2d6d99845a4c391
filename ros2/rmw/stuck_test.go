// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// stuckScene is a node with user code that blocks until it is released, and another that triggers it.
type stuckScene struct {
	node, other *ros2.Node
	release     chan struct{}
}

// ask calls a service that does not answer.
func ask[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](t *testing.T, s *stuckScene, typ ros2.ServiceType[Req, Res],
	name string, request *Req) {
	t.Helper()
	c, err := ros2.NewClient[Req, Res, PReq, PRes](s.other, typ, name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := c.Call(ctx, request); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: %v", name, err)
	}
}

// hang subscribes with a callback that blocks.
func (s *stuckScene) hang(t *testing.T, opts ...ros2.SubscriptionOption) {
	t.Helper()
	_, err := ros2.NewSubscription(s.node, "chatter", ros2.DefaultQoS(), func(*std_msgs.String, ros2.MessageInfo) { <-s.release }, opts...)
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stuckScene) service(t *testing.T) {
	_, err := ros2.NewService(s.node, std_srvs.Trigger{}, "halt", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		<-s.release
		return new(std_srvs.TriggerResponse), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, std_srvs.Trigger{}, "halt", new(std_srvs.TriggerRequest))
}

func (s *stuckScene) subscription(t *testing.T) {
	s.hang(t)
	p := publish(t, s.other, "chatter", ros2.DefaultQoS())
	settle()
	say(t, p, "a")
	settle()
}

func (s *stuckScene) within(t *testing.T) {
	s.hang(t)
	p, err := ros2.NewSharedPublisher[std_msgs.String](s.node, "chatter", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.Publish(new(std_msgs.String)) }()
	settle()
}

func (s *stuckScene) match(t *testing.T) {
	s.hang(t, ros2.OnPublishers(func(int) { <-s.release }))
	publish(t, s.other, "chatter", ros2.DefaultQoS())
	settle()
}

func (s *stuckScene) observer(t *testing.T) {
	if _, err := s.node.DeclareParameter(ros2.ParameterDescriptor{Name: "speed", Default: ros2.DoubleValue(1)}); err != nil {
		t.Fatal(err)
	}
	s.node.Parameters().OnChange(func(ros2.ParameterEvent) { <-s.release })
	ask(t, s, rcl_interfaces.SetParameters{}, "n/set_parameters", &rcl_interfaces.SetParametersRequest{
		Parameters: []rcl_interfaces.Parameter{{Name: "speed", Value: rcl_interfaces.ParameterValue{Type: 3, DoubleValue: 2}}},
	})
}

// TestStuckCode: user code that does not return, wherever it runs, does not prevent a node and its transport from
// closing: within some seconds they have left the network with all endpoints, and the error names what is still
// running.
func TestStuckCode(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*stuckScene, *testing.T)
		names   []string
	}{
		"service":            {(*stuckScene).service, []string{"service /robot/halt: handler"}},
		"subscription":       {(*stuckScene).subscription, []string{"/robot/chatter: callback", "for samples of rt/robot/chatter"}},
		"within the program": {(*stuckScene).within, []string{"/robot/chatter: callback"}},
		"match":              {(*stuckScene).match, []string{"/robot/chatter: callback", "for an event"}},
		"parameter observer": {(*stuckScene).observer, []string{"service /robot/n/set_parameters: handler", "observer of the parameters speed"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := vnet.New(vnet.Config{})
				tr, err := New(Config{Network: net.Host(1)})
				if err != nil {
					t.Fatal(err)
				}
				s := &stuckScene{other: newNode(t, open(t, net.Host(2)), "other", nil), release: make(chan struct{})}
				s.node, err = ros2.NewNode(ros2.NodeConfig{Name: "n", Namespace: "robot", Transport: tr, Standard: true})
				if err != nil {
					t.Fatal(err)
				}
				publish(t, s.node, "innocent", ros2.DefaultQoS())
				settle()
				c.prepare(s, t)
				began := time.Now()
				err = errors.Join(s.node.Close(), tr.Close())
				if d := time.Since(began); d > 4*time.Second {
					t.Errorf("closed after %v", d)
				}
				if !errors.Is(err, ros2.ErrStuck) {
					t.Errorf("error %v", err)
				}
				for _, what := range c.names {
					if !strings.Contains(err.Error(), what) {
						t.Errorf("%q does not name %q", err, what)
					}
				}
				settle()
				g := s.other.Graph()
				if len(g.Nodes) != 1 {
					t.Errorf("the other node still sees %v", g.Nodes)
				}
				for _, e := range g.Endpoints {
					if e.Node != s.other.Name() {
						t.Errorf("the other node still sees %+v", e)
					}
				}
				close(s.release)
				synctest.Wait()
			})
		})
	}
}
