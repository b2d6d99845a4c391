// SPDX-License-Identifier: Apache-2.0

//go:build system

package rmw

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Two transports discover each other through real sockets on the loopback interface. The test waits on channels; the
// deadline only ends a failed one.
func TestLoopback(t *testing.T) {
	cfg := Config{DomainID: 229, Range: Localhost}
	var transports [2]*Transport
	for i := range transports {
		tr, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		transports[i] = tr
	}
	talker, listener := newNode(t, transports[0], "talker", nil), newNode(t, transports[1], "listener", nil)
	matched, heard := make(chan int, 10), make(chan string, 10)
	pub := publish(t, talker, "x", ros2.DefaultQoS(), ros2.OnSubscribers(func(n int) { matched <- n }))
	if _, err := ros2.NewSubscription(listener, "x", ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) {
		heard <- m.Data
	}); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(30 * time.Second)
	select {
	case n := <-matched:
		if n != 1 {
			t.Fatalf("%d subscriptions matched", n)
		}
	case <-deadline:
		t.Fatal("no match on the loopback interface")
	}
	say(t, pub, "hello")
	select {
	case text := <-heard:
		if text != "hello" {
			t.Errorf("heard %q", text)
		}
	case <-deadline:
		t.Fatal("the message did not arrive")
	}
	listener.Close()
	transports[1].Close()
	select {
	case n := <-matched:
		if n != 0 {
			t.Errorf("%d subscriptions left", n)
		}
	case <-deadline:
		t.Fatal("the departure was not reported")
	}
}
