// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// listen subscribes on the robot's side.
func (s *scene) listen(topic string, qos ros2.QoS) func() []string {
	s.Helper()
	var mu sync.Mutex
	var heard []string
	_, err := ros2.NewSubscription[std_msgs.String](s.robot, topic, qos, func(m *std_msgs.String, _ ros2.MessageInfo) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, m.Data)
	})
	s.must(err)
	return func() []string {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(heard)
	}
}

func TestViewersShareOnePublisher(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.listen("/out", ros2.DefaultQoS())
		a, err := s.hub.Advertise("/out", "std_msgs/msg/String")
		s.must(err)
		b, err := s.hub.Advertise("/out", "std_msgs/msg/String")
		s.must(err)
		s.must(a.Publish(s.Context(), text("one")))
		a.Close()
		a.Close()
		s.wantStats(Stats{Publications: 1, Published: 1})
		s.must(b.Publish(s.Context(), text("two")))
		b.Close()
		s.wantStats(Stats{Published: 2})
		if got := heard(); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("heard %q", got)
		}
		if err := b.Publish(s.Context(), text("three")); err == nil {
			t.Error("published after Close")
		}
	})
}

func TestTypesThatAreNotKnownAreNotPublished(t *testing.T) {
	inScene(t, func(s *scene) {
		if _, err := s.hub.Advertise("/out", "no_such/msg/Type"); !errors.Is(err, ErrUnknownType) {
			t.Error(err)
		}
		s.wantStats(Stats{})
	})
}

// A late subscriber must not get an old command unless it requests transient local.
func TestDurabilityFollowsTheSubscriber(t *testing.T) {
	lasting := ros2.DefaultQoS().WithDurability(ros2.TransientLocal)
	for _, c := range []struct {
		name string
		subs []ros2.QoS
		want ros2.Durability
	}{
		{"none", nil, ros2.Volatile},
		{"volatile", []ros2.QoS{ros2.DefaultQoS()}, ros2.Volatile},
		{"lasting", []ros2.QoS{ros2.DefaultQoS(), lasting}, ros2.TransientLocal},
	} {
		t.Run(c.name, func(t *testing.T) {
			inScene(t, func(s *scene) {
				for _, qos := range c.subs {
					s.listen("/out", qos)
				}
				if got := s.hub.outletQoS(outletKey{topicKey: topicKey{"/out", "std_msgs/msg/String"}}); got.Durability != c.want || got.Reliability != ros2.Reliable {
					t.Errorf("%v", got)
				}
			})
		})
	}
}

// silent is a transport whose publishers match subscribers only on request.
type silent struct {
	ros2.Transport
	mu      sync.Mutex
	matched func(int)
}

func (s *silent) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.matched, cfg.OnMatch = cfg.OnMatch, nil
	return s.Transport.NewWriter(cfg)
}

func (s *silent) meet(n int) {
	s.mu.Lock()
	f := s.matched
	s.mu.Unlock()
	f(n)
}

// A single press of a button must not be lost: the first message waits for the subscriber that the graph shows.
func TestFirstMessageWaitsForItsSubscriber(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.listen("/button", ros2.DefaultQoS())
		slow := &silent{Transport: s.hub.cfg.Transport}
		s.hub.cfg.Transport = slow
		p, err := s.hub.Advertise("/button", "std_msgs/msg/String")
		s.must(err)
		defer p.Close()

		begin := time.Now()
		s.must(p.Publish(s.Context(), text("unheard")))
		if took := time.Since(begin); took != matchTime {
			t.Errorf("without a match it waited %v, want %v", took, matchTime)
		}
		ctx, cancel := context.WithTimeout(s.Context(), time.Millisecond)
		defer cancel()
		begin = time.Now()
		s.must(p.Publish(ctx, text("hurried")))
		if took := time.Since(begin); took != time.Millisecond {
			t.Errorf("with a deadline it waited %v", took)
		}
		time.AfterFunc(100*time.Millisecond, func() { slow.meet(1) })
		begin = time.Now()
		s.must(p.Publish(s.Context(), text("met")))
		if took := time.Since(begin); took != 100*time.Millisecond {
			t.Errorf("it met after 100 ms and waited %v", took)
		}
		begin = time.Now()
		s.must(p.Publish(s.Context(), text("again")))
		if took := time.Since(begin); took != 0 {
			t.Errorf("the second waited %v", took)
		}
		if got := heard(); len(got) != 4 {
			t.Errorf("heard %q", got)
		}
	})
}

func TestNoSubscriberIsNotWaitedFor(t *testing.T) {
	inScene(t, func(s *scene) {
		p, err := s.hub.Advertise("/alone", "std_msgs/msg/String")
		s.must(err)
		defer p.Close()
		begin := time.Now()
		s.must(p.Publish(s.Context(), text("x")))
		if took := time.Since(begin); took != 0 {
			t.Errorf("waited %v", took)
		}
	})
}
