// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// cut is a transport that can be cut off from the network: nothing passes either way.
type cut struct {
	ros2.ServiceTransport
	mu  sync.Mutex
	off bool
}

func (c *cut) set(off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = off
}

func (c *cut) is() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.off
}

type cutWriter struct {
	ros2.Writer
	c *cut
}

func (w cutWriter) Write(payload []byte) error {
	if w.c.is() {
		return nil
	}
	return w.Writer.Write(payload)
}

func (c *cut) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w, err := c.ServiceTransport.NewWriter(cfg)
	return cutWriter{w, c}, err
}

func (c *cut) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		if !c.is() {
			call(s)
		}
	}
	return c.ServiceTransport.NewReader(cfg)
}

// pair is the leader's process with a timer every 100 ms, and a member that receives its messages and answers.
func pair(t *testing.T, lost order.LostPolicy) (*several, *cut) {
	s := newSeveral(t, order.Config{Limit: 3 * time.Second}, order.LeaderConfig{Members: []string{"b"}, Lost: lost})
	n := s.first.node("a")
	say := s.first.says(n, "scan")
	s.first.hears(n, "command", func(string) {})
	s.first.every(n, "tick", 100*time.Millisecond, func(time.Time) { say("x") })
	var wall cut
	s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport {
		wall.ServiceTransport = inner
		return &wall
	}, func(a *application) {
		b := a.node("b")
		a.hears(b, "scan", a.says(b, "command"))
	})
	return s, &wall
}

// later runs do after a delay while logical time is stopped.
func (s *several) later(after time.Duration, do func()) {
	task.AfterFunc(after, "what happens meanwhile", do)
}

// A disconnected member stops logical time, and is named; when it is reconnected the run continues unchanged.
func TestSilentMemberStopsTime(t *testing.T) {
	var undisturbed []string
	for _, disturbed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, wall := pair(t, order.LostWaits)
			defer s.close()
			s.advance(time.Second)
			if disturbed {
				wall.set(true)
				waited := make(chan []string, 1)
				s.later(10*time.Second, func() { waited <- s.leader.Waits() })
				s.later(time.Minute, func() { wall.set(false) })
				defer func() {
					if waits := <-waited; len(waits) != 1 || waits[0] != "member b, silent for 10s" {
						t.Errorf("waits for %q", waits)
					}
				}()
			}
			begun := time.Now()
			s.advance(1050 * time.Millisecond) // nothing is due: the member gets no grant
			if d := time.Since(begun); d != 0 {
				t.Errorf("nothing to do took %v", d)
			}
			if disturbed {
				time.Sleep(2 * time.Minute)
			}
			s.advance(2 * time.Second)
			lines := s.first.record()
			if !disturbed {
				undisturbed = lines
			} else if !slices.Equal(lines, undisturbed) {
				t.Errorf("the record is another one:\n%s", strings.Join(lines, "\n"))
			}
		})
	}
}

// A lost grant or answer is repeated; a callback does not run twice.
func TestLostGrantsAreRepeated(t *testing.T) {
	for _, answer := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newSeveral(t, order.Config{}, order.LeaderConfig{Members: []string{"b"}})
			defer s.close()
			ran := 0
			var wall cut
			s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport {
				wall.ServiceTransport = inner
				return &wall
			}, func(a *application) {
				a.every(a.node("b"), "tick", time.Second, func(time.Time) {
					ran++
					wall.set(answer) // the answer is lost
				})
			})
			s.advance(500 * time.Millisecond)
			wall.set(!answer) // the grant is lost
			s.later(700*time.Millisecond, func() { wall.set(false) })
			begun := time.Now()
			s.advance(1500 * time.Millisecond)
			if d := time.Since(begun); ran != 1 || d < 700*time.Millisecond || d > time.Second {
				t.Errorf("ran %d times in %v", ran, d)
			}
		})
	}
}

// A run can continue without a lost member, which is recorded; the member cannot continue.
func TestRunContinuesWithoutLostMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, wall := pair(t, order.LostLeaves)
		s.advance(time.Second)
		wall.set(true)
		begun := time.Now()
		s.advance(2 * time.Second)
		if d := time.Since(begun); d < 2*time.Second || d > 5*time.Second {
			t.Errorf("waited %v for it", d)
		}
		if lines := s.first.record(); !slices.ContainsFunc(lines, func(l string) bool { return strings.HasSuffix(l, `/b timer "lost" in b outside`) }) {
			t.Errorf("the record does not say that it was lost:\n%s", strings.Join(lines, "\n"))
		}
		if waits := s.leader.Waits(); len(waits) > 0 {
			t.Errorf("waits for %q", waits)
		}
		wall.set(false)
		if err := <-s.ended[0]; !errors.Is(err, order.ErrRefused) {
			t.Errorf("it ended with %v", err)
		}
		s.ended[0] <- nil
		s.close()
	})
}

// A new process with the same name replaces one that is gone, which is recorded.
func TestRestartedMemberReplacesLostOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, wall := pair(t, order.LostWaits)
		defer s.close()
		s.advance(time.Second)
		wall.set(true) // killed
		again := make(chan struct{})
		s.later(10*time.Second, func() {
			defer close(again)
			s.member("b", nil, func(a *application) {
				b := a.node("b2")
				a.hears(b, "scan", a.says(b, "command"))
			})
		})
		s.advance(2 * time.Second)
		<-again
		wall.set(false) // messages of the old one are rejected
		if err := <-s.ended[0]; !errors.Is(err, order.ErrRefused) {
			t.Errorf("the old one ended with %v", err)
		}
		s.ended[0] <- nil
		lines := strings.Join(s.first.record(), "\n")
		if !strings.Contains(lines, `/b timer "joined again" in b outside`) || !strings.Contains(lines, `2.000000000+1 /b2 subscription "/scan" in b > /command`) {
			t.Errorf("the record:\n%s", lines)
		}
	})
}

// A run can end when a member is lost.
func TestLostMemberEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, wall := pair(t, order.LostEnds)
		s.advance(time.Second)
		wall.set(true)
		err := s.leader.Advance(time.Time{}.Add(2 * time.Second))
		if !errors.Is(err, order.ErrLost) || !strings.Contains(err.Error(), "b has been silent for 3s") {
			t.Errorf("ended with %v", err)
		}
		if again := s.leader.Advance(time.Time{}.Add(3 * time.Second)); !errors.Is(again, order.ErrLost) {
			t.Errorf("continues with %v", again)
		}
		wall.set(false)
		if err := s.leader.Close(); err != nil {
			t.Error(err)
		}
		<-s.ended[0] // rejected, or ended: the leader considers it gone
		s.group.Wait()
		s.members[0].close()
		s.first.close()
	})
}

// With a limit shorter than the period of the members' messages, no live member is lost.
func TestShortLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, lost := range []order.LostPolicy{order.LostWaits, order.LostEnds} {
			s := newSeveral(t, order.Config{Limit: 100 * time.Millisecond}, order.LeaderConfig{Members: []string{"b"}, Lost: lost})
			s.first.every(s.first.node("a"), "tick", time.Second, func(time.Time) {})
			s.member("b", nil, func(a *application) { a.node("b") })
			s.advance(time.Second)
			for range 300 { // real time passes while nothing is due
				time.Sleep(97 * time.Millisecond)
				if waits := s.leader.Waits(); len(waits) != 0 {
					t.Fatalf("waits for %q", waits)
				}
			}
			s.advance(2 * time.Second)
			s.close()
		}
	})
}

// Messages from outside the application run when they arrive, in each process, and are marked in the record.
func TestOutsideMessagesOfSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := pair(t, order.LostWaits)
		defer s.close()
		s.advance(50 * time.Millisecond)
		far := s.net.NewTransport()
		defer far.Close()
		stranger, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
		if err != nil {
			t.Fatal(err)
		}
		defer stranger.Close()
		b := &application{t: t, tr: far}
		b.says(stranger, "scan")("theirs")
		b.says(stranger, "command")("theirs")
		time.Sleep(100 * time.Millisecond) // the member reports the arrival
		synctest.Wait()
		s.advance(60 * time.Millisecond)
		s.first.expect(
			`0.050000000+1 /a subscription "/command" outside`,
			`0.050000000+1 /b subscription "/scan" in b outside > /command`,
			`0.050000000+2 /a subscription "/command"`,
		)
	})
}

// Messages that the leader's process sends outside of callbacks, as a bridge to a simulator does, arrive at the next
// microstep.
func TestBridgeSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := pair(t, order.LostWaits)
		defer s.close()
		s.advance(0) // all have joined
		n := s.first.node("bridge")
		sensor := s.first.says(n, "scan")
		s.advance(0)
		sensor("1")
		sensor("2")
		s.advance(10 * time.Millisecond)
		s.first.expect(
			`0.000000000+1 /b subscription "/scan" in b > /command`,
			`0.000000000+1 /b subscription "/scan" in b > /command`,
			`0.000000000+2 /a subscription "/command"`,
			`0.000000000+2 /a subscription "/command"`,
		)
	})
}

// Before the start, and while a callback does not end or a message does not arrive, Waits names the member.
func TestWaitsOfSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{Limit: time.Second}, order.LeaderConfig{Members: []string{"b"}})
		defer s.close()
		n := s.first.node("a")
		say := s.first.says(n, "scan")
		s.first.every(n, "tick", time.Second, func(time.Time) { say("x") })
		var seeing sync.Mutex
		seen := map[string]bool{}
		look := func(after time.Duration) {
			s.later(after, func() {
				seeing.Lock()
				defer seeing.Unlock()
				for _, w := range s.leader.Waits() {
					seen[w] = true
				}
			})
		}
		look(time.Second)
		var wall cut
		s.later(2*time.Second, func() {
			s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport {
				wall.ServiceTransport = inner
				return &wall
			}, func(a *application) {
				b := a.node("b")
				a.hears(b, "scan", func(string) { time.Sleep(20 * time.Second) })
			})
		})
		look(20 * time.Second)
		s.advance(1500 * time.Millisecond)
		seeing.Lock()
		defer seeing.Unlock()
		if !seen["member b, which has not joined"] {
			t.Errorf("saw %v", seen)
		}
		found := false
		for w := range seen {
			found = found || strings.HasPrefix(w, "member b: subscription /scan of /b, ")
		}
		if !found {
			t.Errorf("saw %v", seen)
		}
	})
}

// A lost message is named by the member that waits for it.
func TestLostMessageIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{Limit: time.Second}, order.LeaderConfig{Members: []string{"b"}})
		n := s.first.node("a")
		say := s.first.says(n, "scan")
		var lost bool
		var mu sync.Mutex
		s.first.every(n, "tick", time.Second, func(time.Time) {
			mu.Lock()
			lost = true
			mu.Unlock()
			say("x")
		})
		s.member("b", func(inner ros2.ServiceTransport) ros2.ServiceTransport {
			return filtered{inner, func(topic string) bool {
				mu.Lock()
				defer mu.Unlock()
				return topic != "/scan" || !lost
			}}
		}, func(a *application) { a.hears(a.node("b"), "scan", func(string) {}) })
		var waits []string
		closed := make(chan error, 1)
		s.later(30*time.Second, func() {
			waits = s.leader.Waits()
			closed <- s.leader.Close()
		})
		if err := s.leader.Advance(time.Time{}.Add(time.Second)); !errors.Is(err, order.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if len(waits) != 1 || !strings.HasPrefix(waits[0], "member b: a message for subscription /scan, ") {
			t.Errorf("waits for %q", waits)
		}
		if err := <-s.ended[0]; err != nil { // the end reaches it although it waits
			t.Errorf("the member ended with %v", err)
		}
		s.group.Wait()
		s.members[0].close()
		s.first.close()
	})
}

// filtered is a transport that receives only some topics.
type filtered struct {
	ros2.ServiceTransport
	passes func(topic string) bool
}

func (f filtered) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	call := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		if f.passes(cfg.Topic) {
			call(s)
		}
	}
	return f.ServiceTransport.NewReader(cfg)
}

// Other messages on the protocol's topics have no effect.
func TestStrayMessagesOfTheProtocol(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := pair(t, order.LostWaits)
		defer s.close()
		s.advance(time.Second)
		far := s.net.NewTransport()
		defer far.Close()
		stranger, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
		if err != nil {
			t.Fatal(err)
		}
		defer stranger.Close()
		for _, topic := range []string{"/fixed_order/leader", "/fixed_order/members"} {
			pub, err := ros2.NewPublisher[std_msgs.String](stranger, topic, ros2.DefaultQoS())
			if err != nil {
				t.Fatal(err)
			}
			at := wire.Tag{5, 0}
			for _, m := range []*wire.Message{
				{Kind: wire.Done, Member: "b", Session: "x", Leader: "y", Number: 7}, {Kind: wire.Alive, Member: "z", Session: "x", Leader: "y"},
				{Kind: wire.Leave, Member: "b", Session: "x", Leader: "y"}, {Kind: wire.End, Leader: "y"},
				{Kind: wire.Grant, Member: "b", Session: "x", Leader: "y", Number: 1, At: &at},
			} {
				if err := pub.Publish(&std_msgs.String{Data: wire.Encode(m)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := pub.Publish(&std_msgs.String{Data: "{"}); err != nil {
				t.Fatal(err)
			}
		}
		s.advance(2 * time.Second)
		if n := len(s.first.record()); n != 3*20+1 {
			t.Errorf("%d callbacks ran", n)
		}
	})
}

// An invalid configuration is an error.
func TestWrongConfigurations(t *testing.T) {
	a := newApplication(t, order.Config{}, nil)
	defer a.close()
	for _, cfg := range []order.LeaderConfig{{}, {Transport: a.inner, Members: []string{"b", "b"}}, {Transport: a.inner, Members: []string{"a b"}}} {
		if l, err := order.Lead(a.c, cfg); !errors.Is(err, order.ErrConfig) {
			t.Errorf("%+v: %v, %v", cfg, l, err)
		}
	}
	for _, cfg := range []order.MemberConfig{{}, {Name: "b"}, {Transport: a.inner}} {
		if m, err := order.Join(a.c, cfg); !errors.Is(err, order.ErrConfig) {
			t.Errorf("%+v: %v, %v", cfg, m, err)
		}
	}
	again := newApplication(t, order.Config{Replay: []order.Run{{}}}, nil)
	defer again.close()
	if _, err := order.Join(again.c, order.MemberConfig{Name: "b", Transport: again.inner}); !errors.Is(err, order.ErrConfig) {
		t.Errorf("a replay: %v", err)
	}
}
