// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestViewersShareOneSubscription(t *testing.T) {
	inScene(t, func(s *scene) {
		say := s.talker("/chat", ros2.DefaultQoS())
		a, cancelA := s.subscribe("/chat")
		b, cancelB := s.subscribe("/chat")
		s.wantStats(Stats{Subscriptions: 1})
		say("one")
		cancelA()
		cancelA()
		say("two")
		cancelB()
		s.wantStats(Stats{})
		say("three")
		if got := a.heard(); !slices.Equal(got, []string{"one"}) {
			t.Errorf("a heard %q", got)
		}
		if got := b.heard(); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("b heard %q", got)
		}
	})
}

func TestKeptTopicsHaveWhatWasPublishedBefore(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.hub.Keep("/log", "std_msgs/msg/String"))
		say := s.talker("/log", ros2.DefaultQoS().WithDepth(1).WithDurability(ros2.TransientLocal))
		time.Sleep(2 * settleTime)
		say("one", "two", "three")
		s.wantStats(Stats{})
		for range 2 {
			viewer, cancel := s.subscribe("/log")
			if got := viewer.heard(); !slices.Equal(got, []string{"one", "two", "three"}) {
				t.Errorf("heard %q", got)
			}
			s.wantStats(Stats{Subscriptions: 1})
			cancel()
			s.wantStats(Stats{})
		}
	})
}

func TestTypesOfOneNameAreTopicsOfTheirOwn(t *testing.T) {
	inScene(t, func(s *scene) {
		_, cancel := s.subscribe("/x")
		cancelBool, err := s.hub.Subscribe("/x", "std_msgs/msg/Bool", func(*Message) { t.Error("heard a text as a bool") })
		s.must(err)
		s.wantStats(Stats{Subscriptions: 2})
		s.talker("/x", ros2.DefaultQoS())("one")
		synctest.Wait()
		cancel()
		cancelBool()
		s.wantStats(Stats{})
	})
}

func TestLateSubscribersGetTransientLocalMessages(t *testing.T) {
	inScene(t, func(s *scene) {
		say := s.talker("/lasting", ros2.DefaultQoS().WithDepth(10).WithDurability(ros2.TransientLocal))
		first, cancelFirst := s.subscribe("/lasting")
		say("one", "two")
		second, cancelSecond := s.subscribe("/lasting")
		for name, e := range map[string]*collector{"first": first, "second": second} {
			if got := e.heard(); !slices.Equal(got, []string{"one", "two"}) {
				t.Errorf("%s heard %q", name, got)
			}
		}
		cancelFirst()
		cancelSecond()
	})
}

func TestLateSubscribersGetNoVolatileMessages(t *testing.T) {
	inScene(t, func(s *scene) {
		say := s.talker("/fleeting", ros2.DefaultQoS())
		_, cancelFirst := s.subscribe("/fleeting")
		say("one")
		second, cancelSecond := s.subscribe("/fleeting")
		if got := second.heard(); len(got) != 0 {
			t.Errorf("heard %q", got)
		}
		cancelFirst()
		cancelSecond()
	})
}

// What is kept is bounded in messages and in bytes.
func TestKeptMessagesAreBounded(t *testing.T) {
	s := &source{}
	for range keptMessages + 5 {
		s.distribute([]byte("x"), ros2.MessageInfo{}, true)
	}
	if len(s.kept) != keptMessages || s.bytes != keptMessages {
		t.Errorf("%d messages, %d bytes", len(s.kept), s.bytes)
	}
	s.distribute(make([]byte, keptBytes), ros2.MessageInfo{}, true)
	if len(s.kept) != 1 || s.bytes != keptBytes {
		t.Errorf("after one of %d bytes: %d messages, %d bytes", keptBytes, len(s.kept), s.bytes)
	}
	s.distribute(make([]byte, keptBytes+1), ros2.MessageInfo{}, true)
	if len(s.kept) != 1 {
		t.Error("a message that is larger than all that is kept pushed the others out")
	}
	s.distribute([]byte("x"), ros2.MessageInfo{}, false)
	if len(s.kept) != 1 {
		t.Error("a message of a fleeting topic is kept")
	}
}

// A message is copied before it is forwarded: the network reuses its buffer.
func TestMessagesAreCopied(t *testing.T) {
	s := &source{}
	var got *Message
	s.add(&listener{func(m *Message) { got = m }})
	payload := []byte("abc")
	s.distribute(payload, ros2.MessageInfo{}, false)
	payload[0] = 'X'
	if string(got.Data) != "abc" {
		t.Errorf("%q", got.Data)
	}
}

// The hub asks for the most that all publishers offer, so that it hears every one of them.
func TestReadersFitEveryPublisher(t *testing.T) {
	best := ros2.DefaultQoS().WithReliability(ros2.BestEffort)
	reliable := ros2.DefaultQoS()
	lasting := ros2.DefaultQoS().WithDurability(ros2.TransientLocal)
	for _, c := range []struct {
		name   string
		offers []ros2.QoS
		want   []string
	}{
		{"none", nil, []string{"best effort volatile"}},
		{"reliable", []ros2.QoS{reliable}, []string{"reliable volatile"}},
		{"lasting", []ros2.QoS{lasting, lasting}, []string{"reliable transient local"}},
		{"best effort", []ros2.QoS{best}, []string{"best effort volatile"}},
		{"mixed", []ros2.QoS{lasting, best}, []string{"best effort volatile", "reliable transient local"}},
		{"lasting and fleeting", []ros2.QoS{lasting, reliable}, []string{"reliable transient local", "reliable volatile"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inScene(t, func(s *scene) {
				var say []func(...string)
				for _, qos := range c.offers {
					say = append(say, s.talker("/x", qos))
				}
				e, cancel := s.subscribe("/x")
				defer cancel()
				if got := s.requested("/x"); !slices.Equal(got, c.want) {
					t.Errorf("%q, want %q", got, c.want)
				}
				var want []string
				for i := range say {
					want = append(want, fmt.Sprint(i))
					say[i](want[i])
				}
				if got := e.heard(); !slices.Equal(got, want) {
					t.Errorf("heard %q, want %q", got, want)
				}
			})
		})
	}
}

// requested returns what the hub's readers of a topic request, as the graph shows it, sorted.
func (s *scene) requested(topic string) (list []string) {
	for _, e := range ros2.EndpointsOn(s.hub.cfg.Transport, topic) {
		if e.Kind == ros2.SubscriptionEndpoint {
			list = append(list, fmt.Sprint(e.QoS.Reliability, " ", e.QoS.Durability))
		}
	}
	slices.Sort(list)
	return list
}

func TestSubscriptionsAreRenewed(t *testing.T) {
	inScene(t, func(s *scene) {
		e, cancel := s.subscribe("/late")
		defer cancel()
		say := s.talker("/late", ros2.DefaultQoS().WithDepth(5).WithDurability(ros2.TransientLocal))
		time.Sleep(2 * settleTime)
		synctest.Wait()
		if got := s.requested("/late"); !slices.Equal(got, []string{"best effort volatile", "reliable transient local"}) {
			t.Errorf("the subscriptions request %q", got)
		}
		say("one")
		late, cancelLate := s.subscribe("/late")
		defer cancelLate()
		for name, e := range map[string]*collector{"early": e, "late": late} {
			if got := e.heard(); !slices.Equal(got, []string{"one"}) {
				t.Errorf("%s heard %q", name, got)
			}
		}
	})
}

func TestTransportThatRefuses(t *testing.T) {
	inScene(t, func(s *scene) {
		for _, topic := range []string{"", "no slash", "/a//b"} {
			if _, err := s.hub.Advertise(topic, "std_msgs/msg/String"); err == nil || !strings.Contains(err.Error(), "topic") {
				t.Errorf("Advertise(%q): %v", topic, err)
			}
		}
	})
}
