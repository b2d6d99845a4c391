// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A late subscription gets the history of a transient local publisher, as many messages as its depth, and once.
func TestKeptMessages(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	n := a.node("n")
	pub, err := ros2.NewPublisher[std_msgs.String](n, "map", ros2.LatchedQoS().WithDepth(2))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"1", "2", "3"} {
		if err := pub.Publish(&std_msgs.String{Data: s}); err != nil {
			t.Fatal(err)
		}
	}
	var received []string
	var info ros2.MessageInfo
	sub, err := ros2.NewSubscription(n, "map", ros2.LatchedQoS().WithDepth(5), func(m *std_msgs.String, i ros2.MessageInfo) {
		received, info = append(received, m.Data), i
	})
	if err != nil {
		t.Fatal(err)
	}
	a.hears(n, "map", func(s string) { received = append(received, "volatile "+s) })
	a.advance(time.Second)
	if !slices.Equal(received, []string{"2", "3"}) || info.Sequence != 3 || info.Publisher != pub.GID() {
		t.Errorf("received %q, the last one %+v", received, info)
	}
	if pub.SubscriptionCount() != 2 || sub.PublisherCount() != 1 {
		t.Errorf("%d subscriptions, %d publishers", pub.SubscriptionCount(), sub.PublisherCount())
	}
	if err := sub.Close(); err != nil {
		t.Error(err)
	}
	if pub.SubscriptionCount() != 1 {
		t.Errorf("%d subscriptions after the end of one", pub.SubscriptionCount())
	}
}

// The waiting messages are limited to the depth.
func TestDepth(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	n := a.node("n")
	var received []string
	sub, err := ros2.NewSubscription(n, "x", ros2.DefaultQoS().WithDepth(2), func(m *std_msgs.String, _ ros2.MessageInfo) { received = append(received, m.Data) })
	if err != nil {
		t.Fatal(err)
	}
	say := a.says(n, "x")
	a.every(n, "tick", time.Second, func(time.Time) {
		for _, s := range []string{"1", "2", "3"} {
			say(s)
		}
	})
	a.advance(time.Second)
	if got, _ := sub.Received(); !slices.Equal(received, []string{"2", "3"}) || got != 2 {
		t.Errorf("received %q, counted %d", received, got)
	}
	a.every(n, "last", 2*time.Second, func(time.Time) {
		say("never received")
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
	})
	a.advance(5 * time.Second)
	if !slices.Equal(received, []string{"2", "3", "2", "3"}) {
		t.Errorf("received %q after the end", received)
	}
}

// An error of the network is returned by the next call, and the application's own messages are delivered.
func TestFailingNetwork(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	n := a.node("n")
	var received []string
	a.hears(n, "x", func(s string) { received = append(received, s) })
	pub, err := ros2.NewPublisher[std_msgs.String](n, "x", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	a.inner.FailWrites(broken)
	first := pub.Publish(&std_msgs.String{Data: "1"})
	a.inner.FailWrites(nil)
	second := pub.Publish(&std_msgs.String{Data: "2"})
	third := pub.Publish(&std_msgs.String{Data: "3"})
	a.advance(0)
	if first != nil || !errors.Is(second, broken) || third != nil || !slices.Equal(received, []string{"1", "2", "3"}) {
		t.Errorf("errors %v, %v, %v, received %q", first, second, third, received)
	}
}

// Outside services can be called, and the application's services can be called from outside.
func TestServicesOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := ros2test.NewNetwork()
		inner, far := net.NewTransport(), net.NewTransport()
		defer far.Close()
		a := newApplication(t, order.Config{}, inner)
		defer a.close()
		n := a.node("n")
		stranger, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
		if err != nil {
			t.Fatal(err)
		}
		defer stranger.Close()
		answer := func(s string) ros2.Handler[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
			return func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
				return &std_srvs.TriggerResponse{Message: s}, nil
			}
		}
		ask, err := ros2.NewClient(n, std_srvs.Trigger{}, "theirs")
		if err != nil {
			t.Fatal(err)
		}
		if err := ask.Then(&std_srvs.TriggerRequest{}, nil); !errors.Is(err, ros2.ErrNoServer) {
			t.Errorf("without a server: %v", err)
		}
		theirs, err := ros2.NewService(stranger, std_srvs.Trigger{}, "theirs", answer("theirs"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewService(n, std_srvs.Trigger{}, "ours", answer("ours")); err != nil {
			t.Fatal(err)
		}
		got := make(chan string, 2)
		note := func(r *std_srvs.TriggerResponse, err error) {
			if err != nil {
				t.Error(err)
				return
			}
			got <- r.Message
		}
		a.every(n, "tick", time.Second, func(time.Time) {
			if err := ask.Then(&std_srvs.TriggerRequest{}, note); err != nil {
				t.Error(err)
			}
		})
		back, err := ros2.NewClient(stranger, std_srvs.Trigger{}, "ours")
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Then(&std_srvs.TriggerRequest{}, note); err != nil {
			t.Fatal(err)
		}
		a.advance(time.Second)
		synctest.Wait()
		a.advance(time.Second)
		if all := []string{<-got, <-got}; !slices.Equal(all, []string{"ours", "theirs"}) {
			t.Errorf("got %q", all)
		}
		if err := theirs.Close(); err != nil || ask.Available() {
			t.Errorf("the server is there after its end: %v", err)
		}
	})
}

// anonymous is a transport that does not identify senders, as rcl's of Humble.
type anonymous struct{ ros2.ServiceTransport }

func (a anonymous) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		s.Info.Publisher = ros2.GID{}
		call(s)
	}
	return a.ServiceTransport.NewReader(cfg)
}

// On such a transport, too, the application's own messages arrive once, and messages of others with the same content
// are from outside.
func TestOwnMessagesWithoutSenderArriveOnce(t *testing.T) {
	net := ros2test.NewNetwork()
	a := newApplication(t, order.Config{}, net.NewTransport())
	defer a.close()
	a.tr = a.c.Transport(anonymous{a.inner})
	n := a.node("n")
	say := a.says(n, "x")
	a.hears(n, "x", func(string) {})
	for i := range 1100 { // more than maxEchoes, all different
		say(strings.Repeat("x", i))
		a.advance(0)
	}
	if lines := a.record(); len(lines) != 1100 {
		t.Errorf("%d callbacks ran", len(lines))
	}
	far := net.NewTransport()
	defer far.Close()
	stranger, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	b := &application{t: t, tr: far}
	b.says(stranger, "x")("xxx")
	a.advance(time.Second)
	if lines := a.record(); len(lines) != 1101 || !strings.Contains(lines[1100], "outside") {
		t.Errorf("%d callbacks ran, the last is %s", len(lines), lines[len(lines)-1])
	}
}
