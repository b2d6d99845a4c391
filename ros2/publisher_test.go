// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// newNode creates a node that is closed with the test.
func newNode(t testing.TB, tr ros2.Transport, name string, args ...string) *ros2.Node {
	t.Helper()
	parsed, rest, err := ros2.ParseArgs(args)
	if err != nil || len(rest) > 0 {
		t.Fatalf("ParseArgs(%q): rest %q, %v", args, rest, err)
	}
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr, Args: parsed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func newPublisher(t testing.TB, n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.PublisherOption) *ros2.Publisher[chatter] {
	t.Helper()
	p, err := ros2.NewPublisher[chatter](n, topic, qos, opts...)
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

func (b *inbox) take(m *chatter, info ros2.MessageInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.texts = append(b.texts, m.Text)
	b.infos = append(b.infos, info)
}

func (b *inbox) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.texts)
}

func subscribe(t testing.TB, n *ros2.Node, topic string, qos ros2.QoS, opts ...ros2.SubscriptionOption) (*ros2.Subscription[chatter], *inbox) {
	t.Helper()
	b := new(inbox)
	s, err := ros2.NewSubscription(n, topic, qos, b.take, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

func TestPublishWithoutSubscribersDoesNotEncode(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	tr.Record()
	pub := newPublisher(t, newNode(t, tr, "n"), "x", ros2.DefaultQoS())
	tooLong := &chatter{Text: strings.Repeat("x", 1001)}
	if err := pub.Publish(tooLong); err != nil {
		t.Errorf("encoded without a subscription: %v", err)
	}
	if got := tr.Recorded("/x"); len(got) != 0 {
		t.Errorf("%d messages reached the transport", len(got))
	}
	subscribe(t, newNode(t, tr, "m"), "x", ros2.DefaultQoS())
	if err := pub.Publish(tooLong); !errors.Is(err, cdr.ErrBound) || !strings.Contains(err.Error(), "/x") {
		t.Errorf("error %v, want one of the bound naming the topic", err)
	}
	if err := pub.Publish(&chatter{Text: "ok"}); err != nil {
		t.Errorf("after a bad message: %v", err)
	}
	if got := ros2test.Messages[chatter](t, tr, "/x"); len(got) != 1 || got[0].Text != "ok" {
		t.Errorf("recorded %v", got)
	}
}

func TestPublishDoesNotAllocate(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	pub := newPublisher(t, n, "x", ros2.DefaultQoS())
	quiet := newPublisher(t, n, "quiet", ros2.DefaultQoS())
	// A reader below the client library: decoding a fresh message allocates.
	if _, err := tr.NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Topic: "/x", Type: "test_msgs/msg/Chatter"},
		OnSample:       func(ros2.Sample) {},
	}); err != nil {
		t.Fatal(err)
	}
	m := &chatter{Text: "hello"}
	publish := func() {
		if pub.Publish(m) != nil || quiet.Publish(m) != nil || quiet.HasSubscribers() {
			t.Fatal("publish failed")
		}
	}
	if got := testing.AllocsPerRun(100, func() { n.Batch(publish) }); got != 0 {
		t.Errorf("%v allocations per publish, want 0", got)
	}
}

func TestPublisherErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	for _, c := range []struct {
		topic string
		qos   ros2.QoS
		want  error
	}{
		{"bad name", ros2.DefaultQoS(), ros2.ErrInvalidName},
		{"x", ros2.QoS{Depth: -1}, ros2.ErrQoS},
	} {
		if _, err := ros2.NewPublisher[chatter](n, c.topic, c.qos); !errors.Is(err, c.want) {
			t.Errorf("publisher of %q: %v, want %v", c.topic, err, c.want)
		}
		if _, err := ros2.NewSubscription(n, c.topic, c.qos, new(inbox).take); !errors.Is(err, c.want) {
			t.Errorf("subscription of %q: %v, want %v", c.topic, err, c.want)
		}
	}
	pub := newPublisher(t, n, "x", ros2.LatchedQoS())
	lost := errors.New("cable out")
	tr.FailWrites(lost)
	if err := pub.Publish(new(chatter)); !errors.Is(err, lost) {
		t.Errorf("publish on a failing transport: %v", err)
	}
	tr.FailWrites(nil)
	for range 2 {
		if err := pub.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := pub.Publish(new(chatter)); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("publish after Close: %v", err)
	}
}
