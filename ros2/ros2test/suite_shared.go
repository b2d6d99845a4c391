// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func (f *fixture) shared(n *ros2.Node, topic string, qos ros2.QoS) *ros2.SharedPublisher[note] {
	f.Helper()
	p, err := ros2.NewSharedPublisher[note](n, topic, qos)
	if err != nil {
		f.Fatal(err)
	}
	return p
}

// pointers collects pointers to the messages that a subscription received.
type pointers struct {
	mu  sync.Mutex
	all []*note
}

func (p *pointers) receive(m *note, _ ros2.MessageInfo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, m)
}

// is reports whether exactly these messages were received, as pointers.
func (p *pointers) is(want ...*note) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) != len(want) {
		return false
	}
	for i := range want {
		if p.all[i] != want[i] {
			return false
		}
	}
	return true
}

func (f *fixture) pointers(n *ros2.Node, topic string, qos ros2.QoS) *pointers {
	f.Helper()
	p := new(pointers)
	if _, err := ros2.NewSubscription(n, topic, qos, p.receive); err != nil {
		f.Fatal(err)
	}
	return p
}

// sharesWithin: two subscriptions of the process receive the message itself and one of another process a copy, each
// once.
func (f *fixture) sharesWithin() {
	tr := f.join()
	if _, ok := tr.(ros2.ExchangeTransport); !ok {
		f.Skip("the transport has no exchange")
	}
	a, b, far := f.node(tr, "a"), f.node(tr, "b"), f.node(f.join(), "far")
	first := f.pointers(a, "x", ros2.DefaultQoS())
	pub := f.shared(a, "x", ros2.DefaultQoS())
	second := f.pointers(b, "x", ros2.SensorDataQoS())
	_, copies := f.subscribe(far, "x", ros2.DefaultQoS())
	f.settle()
	if pub.SubscriptionCount() != 3 || !pub.HasSubscribers() {
		f.Errorf("%d subscriptions matched, want 3", pub.SubscriptionCount())
	}
	m1, m2 := &note{"one"}, &note{"two"}
	for _, m := range []*note{m1, m2} {
		if err := pub.Publish(m); err != nil {
			f.Fatal(err)
		}
	}
	f.expect("the subscription of another process", copies, "one", "two")
	if !first.is(m1, m2) || !second.is(m1, m2) {
		f.Errorf("subscriptions of the process got %v and %v, want the messages themselves", first.all, second.all)
	}
	pub.Close()
	if err := pub.Publish(m1); err == nil {
		f.Error("a closed publisher publishes")
	}
}

// sharesAlone: with subscriptions only in the process, the transport gets no messages.
func (f *fixture) sharesAlone() {
	tr := f.join()
	n := f.node(tr, "n")
	pub := f.shared(n, "x", ros2.DefaultQoS())
	got := f.pointers(n, "x", ros2.DefaultQoS())
	f.settle()
	m := &note{"m"}
	if err := pub.Publish(m); err != nil {
		f.Fatal(err)
	}
	f.settle()
	if _, ok := tr.(ros2.ExchangeTransport); ok && !got.is(m) {
		f.Errorf("got %v", got.all)
	}
}

// sharesQoS: incompatible and late subscriptions of the process are treated as those of other processes.
func (f *fixture) sharesQoS() {
	tr := f.join()
	n := f.node(tr, "n")
	pub := f.shared(n, "x", ros2.LatchedQoS().WithDepth(2))
	m := []*note{{"1"}, {"2"}, {"3"}, {"4"}}
	for _, one := range m[:3] {
		if err := pub.Publish(one); err != nil {
			f.Fatal(err)
		}
	}
	late := f.pointers(n, "x", ros2.TFStaticListenerQoS())
	volatile := f.pointers(n, "x", ros2.DefaultQoS())
	_, far := f.subscribe(f.node(f.join(), "far"), "x", ros2.TFStaticListenerQoS())
	f.settle()
	if err := pub.Publish(m[3]); err != nil {
		f.Fatal(err)
	}
	f.expect("a late subscription of another process", far, "2", "3", "4")
	if _, ok := tr.(ros2.ExchangeTransport); ok && (!late.is(m[1], m[2], m[3]) || !volatile.is(m[3])) {
		f.Errorf("late subscriptions of the process got %v and %v", late.all, volatile.all)
	}
	effort := f.shared(n, "y", ros2.SensorDataQoS())
	demanding := f.pointers(n, "y", ros2.DefaultQoS())
	f.settle()
	if err := effort.Publish(m[0]); err != nil {
		f.Fatal(err)
	}
	f.settle()
	if !demanding.is() || effort.HasSubscribers() {
		f.Errorf("a subscription that requests more than offered received %v", demanding.all)
	}
}
