// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func (f *fixture) deliversInOrder() {
	pub := f.publisher(f.node(f.join(), "talker"), "x", ros2.DefaultQoS())
	f.say(pub, "not received")
	n := f.node(f.join(), "listener")
	_, reliable := f.subscribe(n, "x", ros2.DefaultQoS())
	_, effort := f.subscribe(n, "x", ros2.SensorDataQoS())
	f.settle()
	f.say(pub, "one", "", "three")
	f.expect("reliable subscription", reliable, "one", "", "three")
	f.expect("best-effort subscription", effort, "one", "", "three")
	for i, info := range reliable.infos {
		if info.Publisher != pub.GID() && !f.limits.Anonymous || info.SourceTime.IsZero() || info.ReceivedTime.IsZero() ||
			info.Sequence != reliable.infos[0].Sequence+int64(i) {
			f.Errorf("info of message %d: %+v", i, info)
		}
	}
}

func (f *fixture) servesLate() {
	n := f.node(f.join(), "n")
	latched := f.publisher(n, "latched", ros2.LatchedQoS().WithDepth(2))
	volatile := f.publisher(n, "volatile", ros2.DefaultQoS())
	f.say(latched, "1", "2", "3")
	f.say(volatile, "1", "2", "3")
	late := f.node(f.join(), "late")
	_, wants := f.subscribe(late, "latched", ros2.TFStaticListenerQoS())
	_, wantsNot := f.subscribe(late, "latched", ros2.DefaultQoS())
	_, cannot := f.subscribe(late, "volatile", ros2.DefaultQoS())
	f.settle()
	f.say(latched, "4")
	f.expect("late transient-local subscription", wants, "2", "3", "4")
	f.expect("late volatile subscription", wantsNot, "4")
	f.expect("subscription of a volatile publisher", cannot)
}

func (f *fixture) deliversWithin() {
	tr := f.join()
	a, b := f.node(tr, "a"), f.node(tr, "b")
	pub := f.publisher(a, "x", ros2.LatchedQoS())
	f.say(pub, "before")
	_, same := f.subscribe(a, "x", ros2.DefaultQoS())
	_, other := f.subscribe(b, "x", ros2.LatchedQoS())
	f.settle()
	if pub.SubscriptionCount() != 2 {
		f.Errorf("%d subscriptions matched, want 2", pub.SubscriptionCount())
	}
	f.say(pub, "after")
	f.expect("the same node", same, "after")
	f.expect("another node", other, "before", "after")
}

func (f *fixture) keepsTypesApart() {
	tr := f.join()
	n := f.node(tr, "n")
	pub, err := ros2.NewPublisher[memo](n, "x", ros2.DefaultQoS())
	if err != nil {
		f.Fatal(err)
	}
	if !f.limits.OneType {
		f.subscribe(n, "x", ros2.DefaultQoS())
	}
	f.subscribe(f.node(f.join(), "m"), "x", ros2.DefaultQoS())
	f.settle()
	if pub.HasSubscribers() {
		f.Error("a publisher matches subscriptions of another type")
	}
}

func (f *fixture) deliversLarge() {
	pub := f.publisher(f.node(f.join(), "a"), "image", ros2.DefaultQoS())
	n := f.node(f.join(), "b")
	_, all := f.subscribe(n, "image", ros2.DefaultQoS())
	_, small := f.subscribe(n, "image", ros2.SensorDataQoS(), ros2.MaxMessageSize(1000))
	f.settle()
	image := strings.Repeat("0123456789", 92_160) // 640 x 480 x 3 bytes
	f.say(pub, image, "small")
	f.expect("subscription", all, image, "small")
	f.expect("subscription with a limit", small, "small")
}

func (f *fixture) corks() {
	pub := f.publisher(f.node(f.join(), "a"), "x", ros2.DefaultQoS())
	n := f.node(f.join(), "b")
	_, box := f.subscribe(n, "x", ros2.DefaultQoS())
	f.settle()
	tr := f.joined[0]
	tr.Cork()
	f.say(pub, "1")
	tr.Cork()
	f.say(pub, "2")
	tr.Uncork()
	f.say(pub, "3")
	tr.Uncork()
	f.say(pub, "4")
	f.expect("subscription", box, "1", "2", "3", "4")
}

// publishesFromCallback: a callback may publish on another topic: two nodes send a message back and forth.
func (f *fixture) publishesFromCallback() {
	a, b := f.node(f.join(), "a"), f.node(f.join(), "b")
	there, back := f.publisher(a, "there", ros2.DefaultQoS()), f.publisher(b, "back", ros2.DefaultQoS())
	if _, err := ros2.NewSubscription(b, "there", ros2.DefaultQoS(), func(m *note, _ ros2.MessageInfo) {
		f.say(back, m.text+" returned")
	}); err != nil {
		f.Fatal(err)
	}
	_, box := f.subscribe(a, "back", ros2.DefaultQoS())
	f.settle()
	f.say(there, "ball")
	f.expect("the first player", box, "ball returned")
}

func (f *fixture) publishesConcurrently() {
	n := f.node(f.join(), "a")
	_, box := f.subscribe(f.node(f.join(), "b"), "x", ros2.DefaultQoS().WithDepth(1000))
	pub := f.publisher(n, "x", ros2.DefaultQoS().WithDepth(1000))
	f.settle()
	const threads, messages = 4, 50
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			for j := range messages {
				if err := pub.Publish(&note{strconv.Itoa(i*messages + j)}); err != nil {
					f.Error(err)
				}
			}
		})
	}
	wg.Wait()
	f.settle()
	got := box.heard()
	slices.Sort(got)
	if len(slices.Compact(got)) != threads*messages {
		f.Errorf("%d different messages arrived, want %d", len(slices.Compact(got)), threads*messages)
	}
}
