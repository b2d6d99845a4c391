// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// The effective QoS of a "best available" subscription or publisher, by the endpoints on the topic.
func TestBestAvailable(t *testing.T) {
	manual := ros2.QoS{Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: time.Second, Deadline: time.Second}
	slow := ros2.QoS{Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: time.Minute, Deadline: time.Minute}
	for _, c := range []struct {
		name     string
		others   []ros2.QoS
		sub, pub string
	}{
		{"no others", nil, "reliable, transient local, keep last 10, liveliness manual by topic", "reliable, transient local, keep last 10"},
		{"one of each kind", []ros2.QoS{ros2.DefaultQoS(), ros2.SensorDataQoS()},
			"best effort, volatile, keep last 10", "reliable, transient local, keep last 10"},
		{"all lasting", []ros2.QoS{ros2.LatchedQoS(), ros2.LatchedQoS()},
			"reliable, transient local, keep last 10", "reliable, transient local, keep last 10"},
		{"periods", []ros2.QoS{manual, slow},
			"reliable, volatile, keep last 10, deadline 1m0s, liveliness lease 1m0s, liveliness manual by topic",
			"reliable, transient local, keep last 10, deadline 1s, liveliness lease 1s, liveliness manual by topic"},
		{"one without", []ros2.QoS{manual, {}},
			"reliable, volatile, keep last 10",
			"reliable, transient local, keep last 10, deadline 1s, liveliness lease 1s, liveliness manual by topic"},
	} {
		bubble(t, func(t *testing.T, tr *ros2test.Transport) {
			n := newNode(t, tr, "n")
			for _, q := range c.others {
				newPublisher(t, n, "published", q)
				subscribe(t, n, "subscribed", q)
			}
			sub, _ := subscribe(t, n, "published", ros2.BestAvailableQoS())
			if got := sub.QoS().String(); got != c.sub {
				t.Errorf("%s: subscription %s, want %s", c.name, got, c.sub)
			}
			if got := newPublisher(t, n, "subscribed", ros2.BestAvailableQoS()).QoS().String(); got != c.pub {
				t.Errorf("%s: publisher %s, want %s", c.name, got, c.pub)
			}
		})
	}
}

// A "best available" subscription matches all existing publishers, and explicit policies are kept.
func TestBestAvailableMatchesAll(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	rapid.Check(t, func(rt *rapid.T) {
		others := rapid.SliceOfN(genQoS(), 0, 4).Draw(rt, "others")
		for _, q := range others {
			pub, sub := newPublisher(t, n, "published", q), mustSubscribe(t, n, "subscribed", q)
			defer pub.Close()
			defer sub.Close()
		}
		sub := mustSubscribe(t, n, "published", ros2.BestAvailableQoS().WithDepth(3))
		defer sub.Close()
		pub := newPublisher(t, n, "subscribed", ros2.BestAvailableQoS())
		defer pub.Close()
		for _, q := range others {
			if p := ros2.IncompatiblePolicies(q, sub.QoS()); p != 0 {
				rt.Fatalf("%v offered, %v chosen: %v", q, sub.QoS(), p)
			}
			if p := ros2.IncompatiblePolicies(pub.QoS(), q); p != 0 {
				rt.Fatalf("%v requested, %v chosen: %v", q, pub.QoS(), p)
			}
		}
		if sub.QoS().Depth != 3 {
			rt.Fatalf("depth %d", sub.QoS().Depth)
		}
	})
}

func mustSubscribe(t *testing.T, n *ros2.Node, topic string, q ros2.QoS) *ros2.Subscription[chatter] {
	t.Helper()
	sub, _ := subscribe(t, n, topic, q)
	return sub
}
