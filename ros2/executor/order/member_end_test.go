// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// sieve is a transport that passes only some messages of the protocol.
type sieve struct {
	ros2.ServiceTransport
	passes func(text string) bool
}

func (s sieve) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	cfg.OnSample = func(m ros2.Sample) {
		if !strings.HasPrefix(cfg.Topic, "/fixed_order/") || s.passes(string(m.Payload)) {
			call(m)
		}
	}
	return s.ServiceTransport.NewReader(cfg)
}

type sieveWriter struct {
	ros2.Writer
	s sieve
}

func (w sieveWriter) Write(payload []byte) error {
	if !w.s.passes(string(payload)) {
		return nil
	}
	return w.Writer.Write(payload)
}

func (s sieve) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w, err := s.ServiceTransport.NewWriter(cfg)
	if strings.HasPrefix(cfg.Topic, "/fixed_order/") {
		w = sieveWriter{w, s}
	}
	return w, err
}

// with returns a function that wraps a transport in a sieve.
func with(passes func(text string) bool) func(ros2.ServiceTransport) ros2.ServiceTransport {
	return func(inner ros2.ServiceTransport) ros2.ServiceTransport { return sieve{inner, passes} }
}

// The end of a run is repeated until the member has received it.
func TestEndIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		var ends atomic.Int32
		s.member("b", with(func(text string) bool {
			if strings.Contains(text, `"kind":"end"`) {
				ends.Add(1)
			}
			return ends.Load() == 0 || ends.Load() > 4 // it is sent to all and to each
		}), func(a *application) { a.node("b") })
		s.advance(time.Second)
		begun := time.Now()
		s.close() // the member ends with no error
		if d := time.Since(begun); ends.Load() < 5 || d < 400*time.Millisecond || d >= time.Second {
			t.Errorf("the end was sent %d times, and arrived after %v", ends.Load(), d)
		}
	})
}

// A member whose welcome was lost gets the end, too: the leader knows it.
func TestEndWithoutWelcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b", "c"}})
		s.member("b", with(func(text string) bool { return !strings.Contains(text, `"kind":"welcome"`) }), func(a *application) { a.node("b") })
		time.Sleep(time.Second)
		begun := time.Now()
		s.close()
		if d := time.Since(begun); d > 0 {
			t.Errorf("the end took %v", d)
		}
	})
}

// If the leader is closed twice concurrently, the members are notified when the second call returns.
func TestClosingTwiceWaitsForTheMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		var ends atomic.Int32
		s.member("b", with(func(text string) bool {
			if strings.Contains(text, `"kind":"end"`) {
				ends.Add(1)
			}
			return ends.Load() == 0 || ends.Load() > 2
		}), func(a *application) { a.node("b") })
		s.advance(time.Second)
		var group task.Group
		group.Go("the other end", func() { _ = s.leader.Close() })
		synctest.Wait()
		if err := s.leader.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait() // the member is notified, and no time passes in which the message could be repeated
		select {
		case err := <-s.ended[0]:
			if err != nil {
				t.Error(err)
			}
			s.ended[0] <- nil
		default:
			t.Error("the second Close returned before the member had ended")
		}
		group.Wait()
		s.close()
	})
}

// A leader that ends while a member runs a long callback: the grant has been repeated until the queue is full, but the
// end is still handled.
func TestEndDuringGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		s.member("b", nil, func(a *application) {
			a.every(a.node("b"), "work", time.Second, func(time.Time) { time.Sleep(20 * time.Second) })
		})
		s.later(10*time.Second, func() { _ = s.leader.Close() })
		if err := s.leader.Advance(time.Time{}.Add(2 * time.Second)); !errors.Is(err, order.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
		begun := time.Now()
		s.close()
		if d := time.Since(begun); d > 11*time.Second {
			t.Errorf("the member ended after %v", d)
		}
	})
}

// A leader that waits for a member's message in vain can be closed.
func TestWaitingLeaderCanBeClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		s.first.hears(s.first.node("a"), "scan", func(string) { t.Error("received a lost message") })
		s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport { return mute{inner, "/scan"} }, func(a *application) {
			n := a.node("b")
			say := a.says(n, "scan")
			a.every(n, "tick", time.Second, func(time.Time) { say("x") })
		})
		s.later(10*time.Second, func() { _ = s.leader.Close() })
		if err := s.leader.Advance(time.Time{}.Add(2 * time.Second)); !errors.Is(err, order.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
		s.close()
	})
}

// mute is a transport whose messages on a topic are lost.
type mute struct {
	ros2.ServiceTransport
	topic string
}

type muteWriter struct{ ros2.Writer }

func (muteWriter) Write([]byte) error { return nil }

func (m mute) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w, err := m.ServiceTransport.NewWriter(cfg)
	if cfg.Topic == m.topic {
		w = muteWriter{w}
	}
	return w, err
}

// If the leader leaves the network without ending the run, its members end with an error: an idle one, and one that
// waits for a message.
func TestLeaderLeavesWithoutEnd(t *testing.T) {
	for _, anonymous := range []bool{false, true} { // with a transport that does not identify publishers, as rclgo
		for _, waits := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
				n := s.first.node("a")
				say := s.first.says(n, "scan")
				s.first.every(n, "tick", time.Second, func(time.Time) { say("x") })
				heard := 0
				s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport {
					if anonymous {
						inner = nameless{inner}
					}
					return filtered{inner, func(topic string) bool { return topic != "/scan" || !waits }}
				}, func(a *application) { a.hears(a.node("b"), "scan", func(string) { heard++ }) })
				s.later(10*time.Second, func() { s.first.inner.Close() })
				if waits {
					s.later(20*time.Second, func() { _ = s.leader.Close() })
				}
				if err := s.leader.Advance(time.Time{}.Add(1500 * time.Millisecond)); (err != nil) != waits {
					t.Errorf("ended with %v", err)
				}
				begun := time.Now()
				err := <-s.ended[0]
				if d := time.Since(begun); !errors.Is(err, order.ErrLeaderLost) || d > 13*time.Second || (heard == 0) != waits {
					t.Errorf("the member ended with %v after %v, and received %d", err, d, heard)
				}
				s.group.Wait()
				_ = s.leader.Close()
				s.members[0].close()
				s.first.c.Close()
				for _, n := range s.first.nodes {
					_ = n.Close() // its transport is closed
				}
			})
		}
	}
}

// nameless is a transport that does not identify publishers.
type nameless struct{ ros2.ServiceTransport }

func (n nameless) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		s.Info.Publisher = ros2.GID{}
		call(s)
	}
	return n.ServiceTransport.NewReader(cfg)
}

// A leader that is killed or disconnected is lost when its lease has expired; shorter interruptions end nothing.
func TestLeaderIsUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 3})
		open := func(host byte) ros2.ServiceTransport {
			tr, err := rmw.New(rmw.Config{Network: net.Host(host)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := tr.Close(); err != nil {
					t.Error(err)
				}
			})
			return tr
		}
		c := order.New(order.Config{})
		defer c.Close()
		leader, err := order.Lead(c, order.LeaderConfig{Transport: open(1), Members: []string{"b"}})
		if err != nil {
			t.Fatal(err)
		}
		other, far := order.New(order.Config{}), open(2)
		defer other.Close()
		m, err := order.Join(other, order.MemberConfig{Name: "b", Transport: far})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		var group task.Group
		group.Go("a member", func() { ended <- m.Run(t.Context()) })
		if err := leader.Advance(time.Time{}.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		host := net.Host(1).Addr()
		net.Cut(host, true)
		time.Sleep(10 * time.Second)
		net.Cut(host, false)
		time.Sleep(time.Minute)
		select {
		case err := <-ended:
			t.Errorf("after a break of 10 s it ended with %v", err)
		default:
		}
		net.Cut(host, true)
		begun := time.Now()
		err = <-ended
		if d := time.Since(begun); !errors.Is(err, order.ErrLeaderLost) || d < 10*time.Second || d > 25*time.Second {
			t.Errorf("ended with %v after %v", err, d)
		}
		group.Wait()
		net.Cut(host, false)
		if err := leader.Close(); err != nil {
			t.Error(err)
		}
	})
}

var wideTopic = strings.Repeat("x", 200)

// wide adds a timer that publishes more than a message of the protocol can hold.
func wide(a *application, name string) {
	n := a.node(name)
	say := a.says(n, wideTopic)
	a.every(n, "talk", time.Second, func(time.Time) {
		for range wire.MaxLength / 400 {
			say("x")
		}
	})
}

// A member whose answer exceeds the limit ends with an error that has the sizes; the leader names it and ends.
func TestAnswerTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{Limit: 5 * time.Second}, order.LeaderConfig{Members: []string{"b"}, Lost: order.LostEnds})
		s.first.hears(s.first.node("a"), wideTopic, func(string) {}) // without a subscription nothing is sent
		s.member("b", nil, func(a *application) { wide(a, "b") })
		waited := make(chan []string, 1)
		s.later(2*time.Second, func() { waited <- s.leader.Waits() })
		if err := s.leader.Advance(time.Time{}.Add(2 * time.Second)); !errors.Is(err, order.ErrLost) {
			t.Errorf("ended with %v", err)
		}
		err := <-s.ended[0]
		if !errors.Is(err, order.ErrTooLong) || !strings.Contains(err.Error(), "done of member b has ") || !strings.HasSuffix(err.Error(), " bytes, at most 4194304 are read") {
			t.Errorf("the member ended with %v", err)
		}
		if waits, want := <-waited, "member b: it has ended: "+err.Error(); len(waits) != 1 || waits[0] != want {
			t.Errorf("waits for %q, want %q", waits, want)
		}
		s.ended[0] <- nil
		s.close()
	})
}

// A foreign member whose answers exceed the limit is named.
func TestForeignAnswerTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
		s.member("b", with(func(text string) bool { return !strings.Contains(text, `"kind":"done"`) }), func(a *application) {
			a.every(a.node("b"), "tick", time.Second, func(time.Time) {})
		})
		var waits []string
		s.later(10*time.Second, func() {
			waits = s.leader.Waits()
			_ = s.leader.Close()
		})
		if err := s.leader.Advance(time.Time{}.Add(2 * time.Second)); !errors.Is(err, order.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
		s.close()
		if want := "member b, which has not answered for 10s"; len(waits) != 1 || waits[0] != want {
			t.Errorf("waits for %q, want %q", waits, want)
		}
	})
}
