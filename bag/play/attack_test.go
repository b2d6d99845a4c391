// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// all is what the bag holds, played at once.
const all = "map 0, 0 0, 1 0, 2 0, 3 0, 4 0, b 0, 5 0, 6 0, 7 0, 8 0, 9 0"

// TestRatesBeyondTime: a rate so high that the elapsed time overflows plays all at once; one so low that the next
// message is never due waits, and can be raised.
func TestRatesBeyondTime(t *testing.T) {
	for _, rate := range []float64{1e12, 1e300, math.MaxFloat64} {
		playing(t, Config{Rate: rate}, nil, func(s *scene) {
			s.after(time.Second)
			if got := s.player.Status(); got.Messages != 12 {
				t.Errorf("rate %g: %+v", rate, got)
			}
		})
	}
	for _, rate := range []float64{1e-12, 1e-300, math.SmallestNonzeroFloat64} {
		playing(t, Config{Rate: rate}, nil, func(s *scene) {
			s.expect(100*time.Hour, "map 0, 0 0")
			if got := s.player.Status(); got.Messages != 2 || got.Ended || got.Now.Before(begin) {
				t.Errorf("rate %g: %+v", rate, got)
			}
			if err := s.player.SetRate(s.t.Context(), 1e300); err != nil {
				t.Error(err)
			}
			s.after(time.Second)
			if got := s.player.Status(); got.Messages != 12 {
				t.Errorf("rate %g, then faster: %+v", rate, got)
			}
		})
	}
}

// TestTimesBeyondTime: an offset and a duration that overflow with the bag's times are errors.
func TestTimesBeyondTime(t *testing.T) {
	playing(t, Config{Duration: math.MaxInt64, Rate: 1e12}, nil, func(s *scene) {
		if got := s.after(time.Second); len(got) < len(all) {
			t.Error(got)
		}
	})
	b := makeBag(t)
	transport := ros2test.NewTransport()
	defer transport.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for offset, want := range map[time.Duration]error{9 * time.Second: nil, 9*time.Second + 1: errPlace, math.MaxInt64: errPlace} {
		p, err := New(Config{Node: n, Bag: b, Offset: offset})
		if !errors.Is(err, want) {
			t.Errorf("%v: %v", offset, err)
		}
		if err == nil {
			if err := p.close(); err != nil {
				t.Error(err)
			}
		}
	}
	for name, cfg := range map[string]Config{
		"no bag": {Node: n}, "NaN": {Node: n, Bag: b, Rate: math.NaN()}, "Inf": {Node: n, Bag: b, Rate: math.Inf(1)},
		"clock": {Node: n, Bag: b, Clock: 2e6}, "clock NaN": {Node: n, Bag: b, Clock: math.NaN()}, "duration": {Node: n, Bag: b, Duration: -1},
		"delay": {Node: n, Bag: b, Delay: -1}, "exclude": {Node: n, Bag: b, Select: Selection{ExcludeRegex: "["}},
	} {
		if _, err := New(cfg); !errors.Is(err, errConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSelection: topics and services apart, what is taken away wins.
func TestSelection(t *testing.T) {
	a, b := &bag.Topic{Name: "/a", Type: "x/msg/A"}, &bag.Topic{Name: "/b", Type: "x/msg/B"}
	s := &bag.Topic{Name: "/s/_service_event", Type: "x/srv/S_Event"}
	for name, c := range map[string]struct {
		selection Selection
		a, b, s   bool
	}{
		"all":                       {Selection{}, true, true, true},
		"a topic":                   {Selection{Topics: []string{"/a"}}, true, false, false},
		"a service":                 {Selection{Services: []string{"/s"}}, false, false, true},
		"a service's topic":         {Selection{Topics: []string{"/s/_service_event"}}, false, false, false},
		"both":                      {Selection{Topics: []string{"/b"}, Services: []string{"/s"}}, false, true, true},
		"a pattern":                 {Selection{Regex: "^/[bs]$"}, false, true, true},
		"a pattern and a topic":     {Selection{Regex: "b", Topics: []string{"/a"}}, true, true, false},
		"without a topic":           {Selection{ExcludeTopics: []string{"/a", "/s"}}, false, true, true},
		"without a service":         {Selection{ExcludeServices: []string{"/s", "/a"}}, true, true, false},
		"without a pattern":         {Selection{ExcludeRegex: "[ab]"}, false, false, true},
		"chosen and taken away":     {Selection{Topics: []string{"/a"}, ExcludeTopics: []string{"/a"}}, false, false, false},
		"chosen, pattern takes all": {Selection{Topics: []string{"/a"}, ExcludeRegex: "."}, false, false, false},
	} {
		if err := c.selection.compile(); err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{c.selection.holds(a), c.selection.holds(b), c.selection.holds(s)}; got != [3]bool{c.a, c.b, c.s} {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestCommandsInEveryState: before Run a command waits for it or for its context, afterwards it is refused; meanwhile
// wrong ones change nothing.
func TestCommandsInEveryState(t *testing.T) {
	playing(t, Config{Paused: true}, nil, func(s *scene) {
		ctx := s.t.Context()
		commands := map[string]func(context.Context) error{
			"pause": s.player.Pause, "resume": s.player.Resume, "toggle": s.player.TogglePaused, "next": s.player.PlayNext, "stop": s.player.Stop,
			"rate":  func(ctx context.Context) error { return s.player.SetRate(ctx, 1) },
			"seek":  func(ctx context.Context) error { return s.player.Seek(ctx, begin) },
			"burst": func(ctx context.Context) error { _, err := s.player.Burst(ctx, 1); return err },
		}
		for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			if err := s.player.SetRate(ctx, rate); !errors.Is(err, errConfig) {
				t.Errorf("rate %g: %v", rate, err)
			}
		}
		for _, to := range []time.Time{begin.Add(-1), begin.Add(9*time.Second + 1), {}} {
			if err := s.player.Seek(ctx, to); !errors.Is(err, errPlace) {
				t.Errorf("seek to %v: %v", to, err)
			}
		}
		if got := s.player.Status(); got.Messages != 0 || got.Rate != 1 || !got.Now.Equal(begin) {
			t.Errorf("%+v", got)
		}
		if n, err := s.player.Burst(ctx, 0); n != 12 || err != nil {
			t.Error(n, err)
		}
		if err := s.player.PlayNext(ctx); !errors.Is(err, ErrEmpty) {
			t.Errorf("at the end: %v", err)
		}
		if n, err := s.player.Burst(ctx, 5); n != 0 || err != nil {
			t.Error(n, err)
		}
		if err := s.player.Stop(ctx); err != nil {
			t.Error(err)
		}
		<-s.player.done
		for name, command := range commands {
			if err := command(ctx); !errors.Is(err, ErrEnded) {
				t.Errorf("%s after the end: %v", name, err)
			}
		}
	})
	b := makeBag(t)
	transport := ros2test.NewTransport()
	defer transport.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	p, err := New(Config{Node: n, Bag: b})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Pause(ended); !errors.Is(err, context.Canceled) { // it does not run yet
		t.Error(err)
	}
	if err := p.Run(ended); err != nil {
		t.Error(err)
	}
	if left := len(n.Graph().EndpointsOn("/a")); left != 0 {
		t.Errorf("%d publishers are left", left)
	}
}

// TestNetworkThatFails ends Run with the topic's name, and the topics are withdrawn.
func TestNetworkThatFails(t *testing.T) {
	b := makeBag(t)
	reason := errors.New("the cable is out")
	for _, offset := range []time.Duration{0, 5 * time.Second} { // while playing, and while latching
		transport := ros2test.NewTransport()
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Config{Node: n, Bag: b, Offset: offset, Rate: 1e12, ClockBefore: func(topic string) bool { return topic == "/b" }})
		if err != nil {
			t.Fatal(err)
		}
		transport.FailWrites(reason)
		if err := p.Run(t.Context()); !errors.Is(err, reason) {
			t.Errorf("from %v: %v", offset, err)
		}
		if left := len(n.Graph().EndpointsOn("/a")); left != 0 {
			t.Errorf("%d publishers are left", left)
		}
		transport.FailWrites(nil)
		if err := errors.Join(n.Close(), transport.Close()); err != nil {
			t.Error(err)
		}
	}
	// A network that is gone takes no topics.
	transport := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	transport.Break(reason)
	if _, err := New(Config{Node: n, Bag: b}); err == nil {
		t.Error("topics of a network that is gone")
	}
	_ = n.Close()
	_ = transport.Close()
}
