// SPDX-License-Identifier: Apache-2.0

package play

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rosbag2_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// begin is the time of the first message.
var begin = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

// makeBag writes a bag: /map once at 0 s, /a at 0, 1, … 9 s with its number, /b at 4.5 s.
func makeBag(t testing.TB) *bag.Bag {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := mcap.NewWriter(f, mcap.Options{Profile: bag.Profile})
	if err != nil {
		t.Fatal(err)
	}
	text := &mcap.Schema{ID: 1, Name: "std_msgs/msg/String", Encoding: "ros2msg", Data: []byte("string data\n")}
	latched, err := bag.EncodeQoS([]ros2.QoS{ros2.LatchedQoS()})
	if err != nil {
		t.Fatal(err)
	}
	sensor, err := bag.EncodeQoS([]ros2.QoS{ros2.SensorDataQoS()})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ topic, qos string }{{"/map", latched}, {"/a", ""}, {"/b", sensor}} {
		meta := map[string]string{bag.KeyQoS: c.qos, bag.KeyHash: (&std_msgs.String{}).TypeHash()}
		if err := w.Register(&mcap.Channel{ID: uint16(i + 1), Schema: text, Topic: c.topic, MessageEncoding: "cdr", Metadata: meta}); err != nil {
			t.Fatal(err)
		}
	}
	var chunk mcap.Chunk
	add := func(channel uint16, after time.Duration, text string) {
		data, err := cdr.Marshal(nil, &std_msgs.String{Data: text})
		if err != nil {
			t.Fatal(err)
		}
		at := uint64(begin.Add(after).UnixNano())
		chunk.Add(channel, 0, at, at, data)
	}
	add(1, 0, "map")
	for i := range 10 {
		add(2, time.Duration(i)*time.Second, fmt.Sprint(i))
	}
	add(3, 4500*time.Millisecond, "b")
	if err := errors.Join(w.WriteChunk(&chunk), w.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := bag.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// scene is a player with a listener.
type scene struct {
	t        *testing.T
	node     *ros2.Node
	listener *ros2.Node
	player   *Player
	result   chan error
	began    time.Time

	mu    sync.Mutex
	heard []string
	clock []float64 // seconds since the beginning of the bag
}

// play runs f concurrently with a player, in synctest's time.
func playing(t *testing.T, cfg Config, args []string, f func(s *scene)) {
	t.Helper()
	b := makeBag(t)
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, result: make(chan error, 1), began: time.Now()}
		net := ros2test.NewNetwork()
		own, _, err := ros2.ParseArgs(args)
		if err != nil {
			t.Fatal(err)
		}
		for i, to := range []**ros2.Node{&s.node, &s.listener} {
			transport := net.NewTransport()
			c := ros2.NodeConfig{Name: fmt.Sprint("node", i), Transport: transport}
			if i == 0 {
				c.Args = own
			}
			if *to, err = ros2.NewNode(c); err != nil {
				t.Fatal(err)
			}
			defer func(n *ros2.Node) { _ = n.Close(); _ = transport.Close() }(*to)
		}
		for _, topic := range []string{"map", "a", "b", "renamed"} {
			s.listen(topic, ros2.SensorDataQoS())
		}
		s.listenToClock()
		cfg.Node, cfg.Bag = s.node, b
		if s.player, err = New(cfg); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if err := s.player.OfferServices(s.node); err != nil {
			t.Fatal(err)
		}
		go func() { s.result <- s.player.Run(ctx) }()
		f(s)
		cancel()
		if err := <-s.result; err != nil {
			t.Error(err)
		}
	})
}

// listen notes what is heard, with the seconds since the beginning.
func (s *scene) listen(topic string, q ros2.QoS) {
	s.t.Helper()
	if _, err := ros2.Listen(s.listener, topic, q, func(m *std_msgs.String) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heard = append(s.heard, fmt.Sprintf("%s %g", m.Data, time.Since(s.began).Seconds()))
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) listenToClock() {
	s.t.Helper()
	if _, err := ros2.Listen(s.listener, "/clock", ros2.DefaultQoS(), func(m *rosgraph_msgs.Clock) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clock = append(s.clock, m.Clock.Time().Sub(begin).Seconds())
	}); err != nil {
		s.t.Fatal(err)
	}
}

// after advances the time and returns what was heard since the last call.
func (s *scene) after(d time.Duration) string {
	time.Sleep(d)
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := strings.Join(s.heard, ", ")
	s.heard = nil
	return out
}

func (s *scene) expect(d time.Duration, want string) {
	s.t.Helper()
	if got := s.after(d); got != want {
		s.t.Errorf("heard %q, want %q", got, want)
	}
}

func TestPlaysInTime(t *testing.T) {
	playing(t, Config{}, nil, func(s *scene) {
		s.expect(20*time.Second, "map 0, 0 0, 1 1, 2 2, 3 3, 4 4, b 4.5, 5 5, 6 6, 7 7, 8 8, 9 9")
		if got := s.player.Status(); got.Messages != 12 || !got.End.Equal(begin.Add(9*time.Second)) {
			t.Errorf("%+v", got)
		}
		if err := s.player.Pause(s.t.Context()); !errors.Is(err, ErrEnded) {
			t.Errorf("%v", err)
		}
	})
}

func TestRateOffsetDurationAndLatched(t *testing.T) {
	playing(t, Config{Rate: 2, Offset: 3500 * time.Millisecond, Duration: 3 * time.Second, Delay: time.Second}, nil, func(s *scene) {
		s.expect(20*time.Second, "map 1, 4 1.25, b 1.5, 5 1.75, 6 2.25")
	})
	playing(t, Config{Rate: 100, Until: begin.Add(2 * time.Second)}, nil, func(s *scene) {
		s.expect(20*time.Second, "map 0, 0 0, 1 0.01, 2 0.02")
	})
}

func TestLoopAndSelection(t *testing.T) {
	c := Config{Loop: true, Rate: 10, Offset: 8 * time.Second, Select: Selection{Regex: "^/a$"}}
	playing(t, c, nil, func(s *scene) { s.expect(350*time.Millisecond, "8 0, 9 0.1, 8 0.1, 9 0.2, 8 0.2, 9 0.3, 8 0.3") })
	for name, sel := range map[string]Selection{
		"topic": {Topics: []string{"/b"}}, "but": {ExcludeRegex: "a"}, "excluded": {ExcludeTopics: []string{"/a", "/map"}},
	} {
		playing(t, Config{Select: sel}, nil, func(s *scene) {
			if got := s.after(20 * time.Second); got != "b 4.5" {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
}

func TestControls(t *testing.T) {
	playing(t, Config{}, nil, func(s *scene) {
		ctx := s.t.Context()
		check := func(err error) {
			s.t.Helper()
			if err != nil {
				s.t.Error(err)
			}
		}
		s.expect(1500*time.Millisecond, "map 0, 0 0, 1 1")
		check(s.player.Pause(ctx))
		s.expect(time.Hour, "")
		check(s.player.PlayNext(ctx))
		s.expect(0, "2 3601.5")
		if n, err := s.player.Burst(ctx, 2); n != 2 || err != nil {
			t.Error(n, err)
		}
		s.expect(time.Second, "3 3601.5, 4 3601.5")
		check(s.player.Seek(ctx, begin.Add(8*time.Second)))
		check(s.player.SetRate(ctx, 4))
		check(s.player.TogglePaused(ctx))
		s.expect(300*time.Millisecond, "8 3602.5, 9 3602.75")
		if err := s.player.SetRate(ctx, 0); !errors.Is(err, errConfig) {
			t.Error(err)
		}
		if err := s.player.Seek(ctx, begin.Add(time.Hour)); !errors.Is(err, errPlace) {
			t.Error(err)
		}
	})
	playing(t, Config{Paused: true}, nil, func(s *scene) {
		s.expect(time.Minute, "")
		if err := s.player.Seek(s.t.Context(), begin.Add(9*time.Second)); err != nil {
			t.Error(err)
		}
		s.expect(0, "map 60") // passed over, and latched
		if err := errors.Join(s.player.PlayNext(s.t.Context())); err != nil {
			t.Error(err)
		}
		if err := s.player.PlayNext(s.t.Context()); !errors.Is(err, ErrEmpty) {
			t.Error(err)
		}
		if err := s.player.Resume(s.t.Context()); err != nil {
			t.Error(err)
		}
		s.expect(time.Minute, "9 60")
	})
	playing(t, Config{}, nil, func(s *scene) {
		s.after(time.Millisecond)
		if err := s.player.PlayNext(s.t.Context()); !errors.Is(err, ErrNotPaused) {
			t.Error(err)
		}
		if err := s.player.Stop(s.t.Context()); err != nil {
			t.Error(err)
		}
		s.expect(time.Minute, "")
	})
}

// TestStaysAtTheEnd: the time stops at the end, and the player continues after a seek back.
func TestStaysAtTheEnd(t *testing.T) {
	playing(t, Config{Stay: true, Offset: 8 * time.Second}, nil, func(s *scene) {
		if got := s.player.Status(); !got.Start.Equal(begin.Add(8*time.Second)) || !got.End.Equal(begin.Add(9*time.Second)) || got.Ended {
			t.Errorf("at first: %+v", got)
		}
		s.expect(time.Minute, "map 0, 8 0, 9 1")
		if got := s.player.Status(); !got.Ended || !got.Paused || !got.Now.Equal(got.End) {
			t.Errorf("at the end: %+v", got)
		}
		err := errors.Join(s.player.Seek(s.t.Context(), begin.Add(8500*time.Millisecond)), s.player.Resume(s.t.Context()))
		if got := s.player.Status(); err != nil || got.Ended || got.Paused {
			t.Errorf("sought back: %v, %+v", err, got)
		}
		s.expect(time.Minute, "9 60.5")
	})
}

func TestServices(t *testing.T) {
	playing(t, Config{}, nil, func(s *scene) {
		seek, err := ros2.NewClient(s.listener, rosbag2_interfaces.Seek{}, "/node0/seek")
		if err != nil {
			t.Fatal(err)
		}
		next, err := ros2.NewClient(s.listener, rosbag2_interfaces.PlayNext{}, "/node0/play_next")
		if err != nil {
			t.Fatal(err)
		}
		pause, err := ros2.NewClient(s.listener, rosbag2_interfaces.TogglePaused{}, "/node0/toggle_paused")
		if err != nil {
			t.Fatal(err)
		}
		ctx := s.t.Context()
		s.after(time.Millisecond)
		if r, err := next.Call(ctx, &rosbag2_interfaces.PlayNextRequest{}); err != nil || r.Success {
			t.Errorf("%+v %v", r, err)
		}
		if _, err := pause.Call(ctx, &rosbag2_interfaces.TogglePausedRequest{}); err != nil {
			t.Error(err)
		}
		var to rosbag2_interfaces.SeekRequest
		to.Time.Sec, to.Time.Nanosec = ros2.Stamp(begin.Add(5 * time.Second))
		if r, err := seek.Call(ctx, &to); err != nil || !r.Success {
			t.Errorf("%+v %v", r, err)
		}
		if r, err := next.Call(ctx, &rosbag2_interfaces.PlayNextRequest{}); err != nil || !r.Success {
			t.Errorf("%+v %v", r, err)
		}
		s.expect(0, "5 0.001")
	})
}

// TestClock: every time that is due is published once, none besides, and before the messages of the same moment.
func TestClock(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		want string
	}{
		"rate":          {Config{Clock: 2, Rate: 2, Duration: 3 * time.Second}, "[0 1 2]"},
		"slow":          {Config{Clock: 4, Rate: 0.5, Duration: 1500 * time.Millisecond}, "[0 0.125 0.25 0.375 0.5 0.625 0.75 0.875 1]"},
		"with messages": {Config{ClockBefore: func(topic string) bool { return topic == "/b" }}, "[4.5]"},
		"both": {Config{Clock: 1, Duration: 2 * time.Second, ClockBefore: func(topic string) bool { return topic == "/a" }},
			"[0 0 1 1]"},
		"none": {Config{}, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			playing(t, c.cfg, nil, func(s *scene) {
				s.after(20 * time.Second)
				s.mu.Lock()
				defer s.mu.Unlock()
				if got := fmt.Sprint(s.clock); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
		})
	}
}

func TestRemapsAndOverrides(t *testing.T) {
	args := []string{"--ros-args", "-r", "/b:=/renamed"}
	playing(t, Config{Select: Selection{Topics: []string{"/b", "/map"}}, QoS: map[string]ros2.QoS{"/map": {Reliability: ros2.BestEffort}}}, args, func(s *scene) {
		s.after(time.Millisecond)
		for _, e := range s.node.Graph().EndpointsOn("/map") {
			if e.Kind == ros2.PublisherEndpoint && (e.QoS.Durability != ros2.Volatile || e.QoS.Reliability != ros2.BestEffort) {
				t.Errorf("override: %v", e.QoS)
			}
		}
		for _, e := range s.node.Graph().EndpointsOn("/renamed") {
			if e.Kind == ros2.PublisherEndpoint && e.QoS.Reliability != ros2.BestEffort {
				t.Errorf("recorded: %v", e.QoS)
			}
		}
		s.expect(10*time.Second, "b 4.5")
	})
}

func TestOfferedQoSMatchesAllSubscriptions(t *testing.T) {
	got := offered([]ros2.QoS{ros2.SensorDataQoS(), ros2.LatchedQoS()})
	if got.Reliability != ros2.Reliable || got.Durability != ros2.TransientLocal || got.Depth != keptMessages {
		t.Errorf("%v", got)
	}
	if got := offered(nil); got != ros2.DefaultQoS() {
		t.Errorf("%v", got)
	}
}

func TestConfigIsChecked(t *testing.T) {
	b := makeBag(t)
	transport := ros2test.NewTransport()
	defer transport.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for want, cfgs := range map[error][]Config{
		errConfig: {{}, {Node: n, Bag: b, Rate: -1}, {Node: n, Bag: b, Clock: -1}, {Node: n, Bag: b, Offset: -1}, {Node: n, Bag: b, Select: Selection{Regex: "("}}},
		errPlace:  {{Node: n, Bag: b, Offset: time.Hour}},
		ErrEmpty:  {{Node: n, Bag: b, Select: Selection{Topics: []string{"/none"}}}},
	} {
		for i := range cfgs {
			if _, err := New(cfgs[i]); !errors.Is(err, want) {
				t.Errorf("%v: %v", want, err)
			}
		}
	}
}

// countedTimers ends the test at a player that begins again and again without any time passing.
type countedTimers struct {
	ros2.Clock
	t      *testing.T
	timers int
}

func (c *countedTimers) NewTimer(d time.Duration) ros2.Timer {
	if c.timers++; c.timers > 100 {
		c.t.Fatal("the player does not end")
	}
	return c.Clock.NewTimer(d)
}

// TestLoopWithoutMessages: a loop over a part without messages of the selection ends with an error.
func TestLoopWithoutMessages(t *testing.T) {
	b := makeBag(t)
	synctest.Test(t, func(t *testing.T) {
		transport := ros2test.NewTransport()
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = n.Close(); _ = transport.Close() }()
		for _, delay := range []time.Duration{0, time.Second} {
			p, err := New(Config{
				Node: n, Bag: b, Loop: true, Delay: delay, Duration: time.Second, Select: Selection{Topics: []string{"/b"}},
				Time: &countedTimers{Clock: ros2.SystemClock(), t: t},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Run(t.Context()); !errors.Is(err, ErrEmpty) {
				t.Errorf("with a delay of %v: %v", delay, err)
			}
		}
	})
}

// TestDamagedBagIsAnError: what can be read of a damaged bag is played, and the end is an error that names the damage,
// whether it was found on opening or on reading.
func TestDamagedBagIsAnError(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, b *bag.Bag)
		played uint64
		want   string
	}{
		{"whole", func(*testing.T, *bag.Bag) {}, 12, ""},
		{"found on opening", func(_ *testing.T, b *bag.Bag) {
			b.Damage = append(b.Damage, "x_1.mcap: bytes 7 to 9", "x_2.mcap: empty")
		}, 12, "2 places, the first is x_1.mcap: bytes 7 to 9"},
		{"found on reading", func(t *testing.T, b *bag.Bag) {
			content, err := os.ReadFile(b.Path)
			if err != nil {
				t.Fatal(err)
			}
			content[bytes.Index(content, []byte("\x02\x00\x00\x005"))] ^= 1
			if err := os.WriteFile(b.Path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}, 0, "checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := makeBag(t)
			c.damage(t, b)
			synctest.Test(t, func(t *testing.T) {
				transport := ros2test.NewTransport()
				n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = n.Close(); _ = transport.Close() }()
				p, err := New(Config{Node: n, Bag: b})
				if err != nil {
					t.Fatal(err)
				}
				err = p.Run(t.Context())
				if errors.Is(err, ErrDamaged) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				if got := p.Status().Messages; got != c.played {
					t.Errorf("%d messages, want %d", got, c.played)
				}
			})
		})
	}
}
