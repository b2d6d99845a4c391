// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// BenchmarkShared passes one message by pointer to n subscriptions of the
// process; BenchmarkChannels sends it to n Go channels, for comparison. The time
// is that of one message to all n.
func BenchmarkShared(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("subscriptions=%d", n), func(b *testing.B) {
			tr := ros2test.NewTransport()
			defer tr.Close()
			node := newNode(b, tr, "n")
			pub := newShared(b, node, "x", ros2.DefaultQoS())
			received := 0
			for range n {
				if _, err := ros2.NewSubscription(node, "x", ros2.DefaultQoS(), func(*chatter, ros2.MessageInfo) { received++ }); err != nil {
					b.Fatal(err)
				}
			}
			m := &chatter{Text: "hello"}
			time.Sleep(1100 * time.Millisecond) // until it is known that there is no other subscription
			b.ReportAllocs()
			sent := 0
			for b.Loop() {
				if err := pub.Publish(m); err != nil {
					b.Fatal(err)
				}
				sent++
			}
			if received != sent*n {
				b.Fatalf("received %d of %d", received, sent*n)
			}
		})
	}
}

func BenchmarkChannels(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("receivers=%d", n), func(b *testing.B) {
			channels := make([]chan *chatter, n)
			for i := range channels {
				channels[i] = make(chan *chatter, 16)
				go func() {
					for range channels[i] {
					}
				}()
			}
			m := &chatter{Text: "hello"}
			b.ReportAllocs()
			for b.Loop() {
				for _, ch := range channels {
					ch <- m
				}
			}
			for _, ch := range channels {
				close(ch)
			}
		})
	}
}

// BenchmarkPublish encodes a message for one subscription and decodes it there.
func BenchmarkPublish(b *testing.B) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	node := newNode(b, tr, "n")
	pub := newPublisher(b, node, "x", ros2.DefaultQoS())
	received := 0
	if _, err := ros2.NewSubscription(node, "x", ros2.DefaultQoS(), func(*chatter, ros2.MessageInfo) { received++ }); err != nil {
		b.Fatal(err)
	}
	m := &chatter{Text: "hello"}
	b.ReportAllocs()
	for b.Loop() {
		if err := pub.Publish(m); err != nil {
			b.Fatal(err)
		}
	}
}
