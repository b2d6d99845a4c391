// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Publishing to a subscription of the same transport allocates nothing in steady state, from Publish to the transport's
// callback.
func TestPublishDoesNotAllocate(t *testing.T) {
	tr, err := New(Config{Range: Off})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	arrived := make(chan struct{}, 1)
	if _, err := tr.NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Topic: "/robot/x", Type: "std_msgs/msg/String"},
		OnSample:       func(ros2.Sample) { arrived <- struct{}{} },
	}); err != nil {
		t.Fatal(err)
	}
	matched := make(chan int, 1)
	n := newNode(t, tr, "n", nil)
	pub := publish(t, n, "x", ros2.DefaultQoS(), ros2.OnSubscribers(func(c int) { matched <- c }))
	<-matched
	m := &std_msgs.String{Data: "hello"}
	send := func() {
		if pub.Publish(m) != nil {
			t.Fatal("publish failed")
		}
	}
	step := func() {
		n.Batch(send)
		<-arrived
	}
	for range 100 { // buffers grow
		step()
	}
	if got := testing.AllocsPerRun(1000, step); got != 0 {
		t.Errorf("%v allocations a message, want 0", got)
	}
}
