// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// Callbacks may publish in a cycle: a message to a subscription whose callback is running waits.
func TestSharedMessagesInACycle(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	there, back := newShared(t, n, "there", ros2.DefaultQoS()), newShared(t, n, "back", ros2.DefaultQoS())
	var hits []int64
	hit := func(p *ros2.SharedPublisher[chatter]) func(*chatter, ros2.MessageInfo) {
		return func(m *chatter, _ ros2.MessageInfo) {
			hits = append(hits, m.Count)
			if m.Count < 10 {
				if err := p.Publish(&chatter{Count: m.Count + 1}); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for topic, p := range map[string]*ros2.SharedPublisher[chatter]{"there": back, "back": there} {
		if _, err := ros2.NewSubscription(n, topic, ros2.DefaultQoS(), hit(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := there.Publish(new(chatter)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(hits, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("hits %v", hits)
	}
}

// A slow subscription keeps the newest messages, and Close waits for its callback.
func TestSharedKeepLastAndClose(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n")
		pub := newShared(t, n, "x", ros2.DefaultQoS())
		var received []int64
		gate := make(chan struct{})
		sub, err := ros2.NewSubscription(n, "x", ros2.DefaultQoS().WithDepth(2), func(m *chatter, _ ros2.MessageInfo) {
			received = append(received, m.Count)
			<-gate
		})
		if err != nil {
			t.Fatal(err)
		}
		publish := func(i int64) {
			if err := pub.Publish(&chatter{Count: i}); err != nil {
				t.Error(err)
			}
		}
		go publish(0)
		synctest.Wait() // the callback is running
		for i := int64(1); i <= 5; i++ {
			publish(i)
		}
		for range 3 {
			gate <- struct{}{}
		}
		synctest.Wait()
		if !slices.Equal(received, []int64{0, 4, 5}) {
			t.Errorf("received %v", received)
		}
		go publish(6)
		synctest.Wait()
		var closed atomic.Bool
		go func() {
			sub.Close()
			closed.Store(true)
		}()
		synctest.Wait()
		if closed.Load() {
			t.Error("Close does not wait for the callback")
		}
		close(gate)
		synctest.Wait()
		publish(7)
		if !closed.Load() || len(received) != 4 || pub.HasSubscribers() {
			t.Errorf("after Close: closed %v, received %v", closed.Load(), received)
		}
	})
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

// However many goroutines publish, every subscription gets every message once, one at a time, and counts it.
func TestSharedConcurrently(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	qos := ros2.QoS{History: ros2.KeepAll}
	pub := newShared(t, n, "x", qos)
	const subscriptions, publishers, messages = 4, 4, 200
	received := make([]map[int64]int, subscriptions)
	var subs []*ros2.Subscription[chatter]
	var done sync.WaitGroup
	done.Add(subscriptions * publishers * messages)
	for i := range received {
		received[i] = map[int64]int{}
		sub, err := ros2.NewSubscription(n, "x", qos, func(m *chatter, _ ros2.MessageInfo) {
			received[i][m.Count]++
			done.Done()
		})
		if err != nil {
			t.Fatal(err)
		}
		subs = append(subs, sub)
	}
	for i := range publishers {
		done.Go(func() {
			for j := range messages {
				if err := pub.Publish(&chatter{Count: int64(i*messages + j)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done.Wait()
	for i, sub := range subs {
		if got, _ := sub.Received(); got != publishers*messages || len(received[i]) != publishers*messages {
			t.Errorf("subscription %d counts %d, received %d different ones", i, got, len(received[i]))
		}
	}
	pub.Close()
	if got, _ := subs[0].Received(); got != publishers*messages {
		t.Errorf("the count is %d after the publisher has left", got)
	}
}

// Callbacks of a concurrent subscription run at the same time on the goroutines that publish; each message arrives
// once, and Close waits for all of them.
func TestSharedConcurrentSubscription(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n")
		pub := newShared(t, n, "x", ros2.DefaultQoS())
		var received [3]atomic.Int64
		both, gate := make(chan struct{}), make(chan struct{})
		var running atomic.Int32
		sub, err := ros2.Listen(n, "x", ros2.DefaultQoS(), func(m *chatter) {
			if received[m.Count].Add(1); m.Count == 2 {
				return
			}
			if running.Add(1) == 2 {
				close(both)
			}
			<-gate
		}, ros2.Concurrent())
		if err != nil {
			t.Fatal(err)
		}
		publish := func(i int64) {
			if err := pub.Publish(&chatter{Count: i}); err != nil {
				t.Error(err)
			}
		}
		var publishers sync.WaitGroup
		publishers.Go(func() { publish(0) })
		publishers.Go(func() { publish(1) })
		<-both
		publish(2)
		time.AfterFunc(time.Second/2, func() { close(gate) })
		begin := time.Now()
		if err := sub.Close(); err != nil || time.Since(begin) != time.Second/2 {
			t.Errorf("closed after %v: %v", time.Since(begin), err)
		}
		publishers.Wait()
		publish(2)
		for i := range received {
			if got := received[i].Load(); got != 1 {
				t.Errorf("message %d arrived %d times", i, got)
			}
		}
		if got, _ := sub.Received(); got != 3 {
			t.Errorf("counted %d, want 3", got)
		}
	})
}
