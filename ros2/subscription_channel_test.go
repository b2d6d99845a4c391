// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestChannelKeepsTheNewest(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	sub, messages, err := ros2.NewChannel[chatter](n, "x", ros2.DefaultQoS().WithDepth(3))
	if err != nil {
		t.Fatal(err)
	}
	pub := newPublisher(t, n, "x", ros2.DefaultQoS())
	for i := range 10 {
		if err := pub.Publish(&chatter{Count: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	sub.Close()
	sub.Close()
	var got []int64
	for r := range messages { // the channel is closed
		got = append(got, r.Message.Count)
		if r.Info.Publisher != pub.GID() {
			t.Errorf("info %+v", r.Info)
		}
	}
	if !slices.Equal(got, []int64{7, 8, 9}) {
		t.Errorf("received %v", got)
	}
}

// Nothing is lost while the receiver keeps up, and Close closes the channel.
func TestChannelConcurrently(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	_, messages, err := ros2.NewChannel[chatter](n, "x", ros2.QoS{History: ros2.KeepAll, Depth: 1000})
	if err != nil {
		t.Fatal(err)
	}
	pub := newPublisher(t, n, "x", ros2.QoS{History: ros2.KeepAll})
	var wg sync.WaitGroup
	received := 0
	wg.Go(func() {
		for range messages {
			received++
		}
	})
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for range 200 {
				if err := pub.Publish(new(chatter)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	senders.Wait()
	n.Close()
	wg.Wait()
	if received != 800 {
		t.Errorf("received %d of 800", received)
	}
}

func TestChannelErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	if _, _, err := ros2.NewChannel[chatter](n, "x", ros2.QoS{Depth: -1}); !errors.Is(err, ros2.ErrQoS) {
		t.Errorf("negative depth: %v", err)
	}
	if _, _, err := ros2.NewChannel[chatter](n, "x y", ros2.QoS{}); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("bad name: %v", err)
	}
}

func ExampleNewChannel() {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n, _ := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	pub, _ := ros2.NewPublisher[chatter](n, "state", ros2.LatchedQoS())
	_ = pub.Publish(&chatter{Text: "ready"})
	_, messages, _ := ros2.NewChannel[chatter](n, "state", ros2.LatchedQoS())
	fmt.Println((<-messages).Message.Text)
	n.Close()
	_, open := <-messages
	fmt.Println(open)
	// Output:
	// ready
	// false
}
