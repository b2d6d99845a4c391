// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// asks makes a node call two outside services for each scan: the oracle answers, the sphinx does not, and is given up
// after a second of real time.
func asks(a *application, n *ros2.Node, to string) {
	client := func(name string) *ros2.Client[std_srvs.TriggerRequest, std_srvs.TriggerResponse] {
		c, err := ros2.NewClient(n, std_srvs.Trigger{}, name)
		if err != nil {
			a.t.Fatal(err)
		}
		return c
	}
	oracle, sphinx, try := client("oracle"), client("sphinx"), a.tries(n, to)
	say := func(text string) {
		if err := try(text); err != nil && !(a.ends.Load() && errors.Is(err, ros2.ErrClosed)) {
			a.t.Error(err) // except calls cancelled by the end of the run
		}
	}
	a.hears(n, "scan", func(string) {
		r, err := oracle.Call(context.Background(), &std_srvs.TriggerRequest{})
		if err != nil {
			say("no oracle")
			return
		}
		say(r.Message)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err = sphinx.Call(ctx, &std_srvs.TriggerRequest{})
		say(fmt.Sprint("no sphinx: ", err == context.DeadlineExceeded))
	})
}

// strangersServe starts the outside services.
func strangersServe(t *testing.T, s *several) (end func()) {
	far := s.net.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	_, err = ros2.NewService(n, std_srvs.Trigger{}, "oracle", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		asked++
		time.Sleep(time.Duration(random(100)) * time.Millisecond)
		return &std_srvs.TriggerResponse{Message: "it depends"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ros2.NewService(n, std_srvs.Trigger{}, "sphinx", func(ctx context.Context, _ *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		far.Close()
	}
}

// Replies from outside, and the ends of cancelled calls, have the same positions in a replay as in the run: in the
// leader's process and in a member.
func TestReplayOfCalls(t *testing.T) {
	var record []order.Run
	for i := range 6 {
		synctest.Test(t, func(t *testing.T) {
			s := newSeveral(t, order.Config{Replay: record, Parallel: i%2 == 1}, order.LeaderConfig{Members: []string{"b"}})
			defer s.close()
			defer strangersServe(t, s)()
			n := s.first.node("a")
			say := s.first.says(n, "scan")
			s.first.every(n, "tick", time.Second, func(time.Time) { say("x") })
			asks(s.first, n, "mine")
			s.member("b", late, func(a *application) {
				b := a.node("b")
				asks(a, b, "yours")
				a.hears(b, "mine", func(string) {})
			})
			for step := range 25 {
				s.advance(time.Duration(step) * 100 * time.Millisecond)
				if i == 0 {
					time.Sleep(330 * time.Millisecond) // the members report arrivals
				}
			}
			if i > 0 {
				if d := order.Difference(record, s.first.history()); d != "" {
					t.Errorf("replay %d: %s", i, d)
				}
				return
			}
			record = s.first.history()
			if n := cameFromOutside(record); n != 4 { // replies: two times two
				t.Fatalf("%d caused from outside:\n%s", n, text(record))
			}
		})
	}
}

// For random applications and messages from outside: a replay equals the run, and diverges if a line of the record was
// changed.
func TestReplaysOfSeveralProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		members := rapid.SampledFrom([][]string{{"b"}, {"b", "c"}, {"c", "b", "d"}}).Draw(r, "members")
		periods := rapid.SliceOfN(rapid.IntRange(1, 4), len(members)+1, len(members)+1).Draw(r, "periods")
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"", "1", "22"}), 0, 6).Draw(r, "texts")
		pauses := rapid.SliceOfN(rapid.IntRange(0, 3), len(texts), len(texts)).Draw(r, "pauses")
		swap := rapid.Permutation(texts).Draw(r, "arrival")
		run := func(replay []order.Run, texts []string) (record []order.Run, err error) {
			synctest.Test(t, func(t *testing.T) {
				s := newSeveral(t, order.Config{Replay: replay, Parallel: len(replay)%2 == 1}, order.LeaderConfig{Members: members})
				defer s.close()
				build := func(a *application, i int) {
					n := a.node(fmt.Sprint("n", i))
					say, all := a.says(n, fmt.Sprint("t", i)), 0
					a.hears(n, fmt.Sprint("t", (i+len(members))%(len(members)+1)), func(s string) { all = all*7 + len(s) })
					a.every(n, "tick", time.Duration(periods[i])*10*time.Millisecond, func(time.Time) { say(fmt.Sprint(all)) })
				}
				build(s.first, 0)
				for i, name := range members {
					s.member(name, late, func(a *application) { build(a, i+1) })
				}
				far := s.net.NewTransport()
				defer far.Close()
				n, e := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
				if e != nil {
					t.Fatal(e)
				}
				defer n.Close()
				say := (&application{t: t, tr: far}).says(n, fmt.Sprint("t", len(members)))
				at := time.Duration(0)
				for i, text := range texts {
					say(text)
					if replay == nil {
						time.Sleep(50 * time.Millisecond)
						at += time.Duration(pauses[i]) * 7 * time.Millisecond
						s.advance(at)
					}
				}
				err = s.leader.Advance(time.Time{}.Add(130 * time.Millisecond)) // after all pauses
				record = s.first.history()
			})
			return record, err
		}
		record, err := run(nil, texts)
		if err != nil {
			r.Fatal(err)
		}
		again, err := run(record, swap)
		if d := order.Difference(record, again); d != "" || err != nil {
			r.Fatalf("%v: %s", err, d)
		}
		i := rapid.IntRange(len(members), len(record)-1).Draw(r, "changed line")
		broken := record[i]
		broken.Sent = append([]order.Sent{{Topic: "/t9", Sum: 9}}, broken.Sent...)
		if _, err := run(changed(record, i, broken), swap); err == nil {
			r.Fatalf("a run follows a record with another line %q", broken)
		}
	})
}

// A message that a bridge to a simulator sends between two calls of Advance is not from outside, neither for the
// leader's process nor for a member, and a replay has it at the same position.
func TestReplayOfBridge(t *testing.T) {
	var record []order.Run
	for i := range 3 {
		synctest.Test(t, func(t *testing.T) {
			s := newSeveral(t, order.Config{Replay: record, Parallel: i == 2}, order.LeaderConfig{Members: []string{"b"}})
			defer s.close()
			bridge, a := s.first.node("bridge"), s.first.node("a")
			sensor := s.first.says(bridge, "scan")
			s.first.hears(a, "scan", func(string) {})
			s.first.hears(a, "command", func(string) {})
			s.member("b", late, func(m *application) {
				n := m.node("b")
				m.hears(n, "scan", m.says(n, "command"))
			})
			for step := range 10 {
				at := time.Duration(step) * 10 * time.Millisecond
				s.advance(at)
				sensor(fmt.Sprint(step))
				s.advance(at)
			}
			if i > 0 {
				if d := order.Difference(record, s.first.history()); d != "" {
					t.Errorf("replay %d: %s", i, d)
				}
				return
			}
			record = s.first.history()
			if len(record) != 1+3*10 {
				t.Errorf("%d callbacks ran:\n%s", len(record), text(record))
			}
			for _, r := range record[1:] {
				if r.Outside || r.Tag.Micro == 0 {
					t.Errorf("%v caused from outside", r)
				}
			}
		})
	}
}
