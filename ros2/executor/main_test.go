// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// record lists what ran, in order.
type record struct {
	mu   sync.Mutex
	list []string
}

func (r *record) add(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, s)
}

func (r *record) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

func (r *record) expect(t *testing.T, what string, want ...string) {
	t.Helper()
	if got := r.all(); !slices.Equal(got, want) {
		t.Errorf("%s: ran %v, want %v", what, got, want)
	}
}

// node creates a node on its own transport whose callbacks run in a group.
func node(t *testing.T, g ros2.CallbackGroup, clock ros2.Clock) *ros2.Node {
	t.Helper()
	tr := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr, Callbacks: g, Clock: clock, Standard: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		tr.Close()
	})
	return n
}

// place joins a group.
func place(t *testing.T, g ros2.CallbackGroup, kind ros2.CallbackKind, name string, limit int) ros2.CallbackQueue {
	t.Helper()
	p, err := g.Join(ros2.CallbackSource{Kind: kind, Name: name, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// spin spins an executor until the test ends or stop is called.
func spin(t *testing.T, e *executor.Executor) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := e.Spin(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = func() {
		cancel()
		ended.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// talk creates a publisher of text and a subscription with a callback.
func talk(t *testing.T, n *ros2.Node, topic string, call func(string), opts ...ros2.SubscriptionOption) *ros2.Publisher[std_msgs.String] {
	t.Helper()
	_, err := ros2.NewSubscription(n, topic, ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { call(m.Data) }, opts...)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ros2.NewPublisher[std_msgs.String](n, topic, ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	return pub
}

func publish(t *testing.T, pub *ros2.Publisher[std_msgs.String], text string) {
	t.Helper()
	if err := pub.Publish(&std_msgs.String{Data: text}); err != nil {
		t.Fatal(err)
	}
}

// bubble runs a test in a bubble of time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

const timeout = time.Second
