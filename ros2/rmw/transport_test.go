// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// settle waits, in simulated time, until discovery and delivery are finished.
func settle() {
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

// open joins the network; the transport is closed with the test.
func open(t *testing.T, network udp.Network) *Transport {
	t.Helper()
	tr, err := New(Config{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

func newNode(t *testing.T, tr ros2.Transport, name string, log *slog.Logger) *ros2.Node {
	t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: "robot", Transport: tr, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func publish(t *testing.T, n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.PublisherOption) *ros2.Publisher[std_msgs.String] {
	t.Helper()
	p, err := ros2.NewPublisher[std_msgs.String](n, topic, qos, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inbox collects what a subscription receives.
type inbox struct {
	mu    sync.Mutex
	texts []string
	infos []ros2.MessageInfo
}

func (b *inbox) take(m *std_msgs.String, info ros2.MessageInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.texts = append(b.texts, m.Data)
	b.infos = append(b.infos, info)
}

func (b *inbox) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.texts)
}

func subscribe(t *testing.T, n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.SubscriptionOption) (*ros2.Subscription[std_msgs.String], *inbox) {
	t.Helper()
	b := new(inbox)
	s, err := ros2.NewSubscription(n, topic, qos, b.take, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

func say(t *testing.T, p *ros2.Publisher[std_msgs.String], texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := p.Publish(&std_msgs.String{Data: text}); err != nil {
			t.Fatal(err)
		}
	}
}

// The contract of all transports, over a perfect network in simulated time.
func TestSuite(t *testing.T) {
	ros2test.Suite{
		Network: func(t *testing.T) func() ros2.Transport {
			net, hosts := vnet.New(vnet.Config{Seed: 1}), byte(0)
			return func() ros2.Transport {
				hosts++
				return open(t, net.Host(hosts))
			}
		},
		Settle: settle,
		Wrap:   synctest.Test,
	}.Run(t)
}

func TestWithinOneTransportWithoutNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, err := New(Config{Range: Off})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		a, b := newNode(t, tr, "a", nil), newNode(t, tr, "b", nil)
		pub := publish(t, a, "x", ros2.DefaultQoS())
		sub, box := subscribe(t, b, "x", ros2.DefaultQoS())
		settle()
		if pub.SubscriptionCount() != 1 || sub.PublisherCount() != 1 {
			t.Fatalf("matched: %d, %d", pub.SubscriptionCount(), sub.PublisherCount())
		}
		say(t, pub, "hello")
		settle()
		if got := box.heard(); !slices.Equal(got, []string{"hello"}) {
			t.Errorf("heard %q", got)
		}
		if g := tr.Graph(); len(g.Nodes) != 2 || len(g.Endpoints) != 2 {
			t.Errorf("graph %+v", g)
		}
	})
}

func TestTransportErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := open(t, vnet.New(vnet.Config{}).Host(1))
		if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/x", Type: "bad"}}); !errors.Is(err, ErrName) {
			t.Errorf("writer of a bad type: %v", err)
		}
		if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/x", Type: "bad"}}); !errors.Is(err, ErrName) {
			t.Errorf("reader of a bad type: %v", err)
		}
		if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/x", Type: "a/B"}}); !errors.Is(err, ErrConfig) {
			t.Errorf("reader without a callback: %v", err)
		}
	})
}
