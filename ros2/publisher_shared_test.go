// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func newShared(t testing.TB, n *ros2.Node, topic string, qos ros2.QoS) *ros2.SharedPublisher[chatter] {
	t.Helper()
	p, err := ros2.NewSharedPublisher[chatter](n, topic, qos)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Once it is known that only shared subscriptions match, nothing is encoded.
func TestSharedMessagesAreNotEncodedWithoutRemoteSubscriptions(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		tr.Record()
		n := newNode(t, tr, "n")
		pub := newShared(t, n, "x", ros2.DefaultQoS())
		_, box := subscribe(t, n, "x", ros2.DefaultQoS())
		time.Sleep(2 * time.Second)
		if err := pub.Publish(&chatter{Text: "m"}); err != nil {
			t.Fatal(err)
		}
		if got := tr.Recorded("/x"); len(got) != 0 || !slices.Equal(box.heard(), []string{"m"}) {
			t.Errorf("%d encoded, received %q", len(got), box.heard())
		}
		if info := box.infos[0]; info.Publisher != pub.GID() || info.Sequence != 1 || pub.Topic() != "/x" {
			t.Errorf("info %+v", info)
		}
	})
}

// A subscription with another Go type for the same ROS type gets it encoded.
func TestSharedMessageToAnotherGoType(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newShared(t, n, "x", ros2.DefaultQoS())
	_, box := subscribe(t, n, "x", ros2.DefaultQoS())
	type twin struct{ chatter }
	var mu sync.Mutex
	var got []string
	if _, err := ros2.NewSubscription[twin](n, "x", ros2.DefaultQoS(), func(m *twin, _ ros2.MessageInfo) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, m.Text)
	}); err != nil {
		t.Fatal(err)
	}
	if err := pub.Publish(&chatter{Text: "m"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"m"}) || !slices.Equal(box.heard(), []string{"m"}) {
		t.Errorf("received %q and %q", got, box.heard())
	}
}

func TestSharedPublisherErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	if _, err := ros2.NewSharedPublisher[chatter](n, "a b", ros2.DefaultQoS()); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("bad name: %v", err)
	}
	pub := newShared(t, n, "x", ros2.LatchedQoS())
	n.Close()
	if err := pub.Publish(new(chatter)); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("publish after Close: %v", err)
	}
	if err := pub.Close(); err != nil {
		t.Error(err)
	}
}

func TestSharedPublishDoesNotAllocate(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newShared(t, n, "x", ros2.DefaultQoS())
	const subscriptions = 1000
	count := 0
	for range subscriptions {
		if _, err := ros2.NewSubscription(n, "x", ros2.DefaultQoS(), func(*chatter, ros2.MessageInfo) { count++ }); err != nil {
			t.Fatal(err)
		}
	}
	m := &chatter{Text: "m"}
	if got := testing.AllocsPerRun(100, func() {
		if pub.Publish(m) != nil {
			t.Fatal("publish failed")
		}
	}); got != 0 || count != 101*subscriptions {
		t.Errorf("%v allocations per message, %d received", got, count)
	}
}
