// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// trio is an application of three processes: a timer in the leader's, a relay in b, and in c a node whose output
// depends on all received messages.
type trio struct {
	*several
	walls map[string]*cut
	tick  func(i int) // called by the timer
}

func newTrio(t *testing.T, cfg order.Config, lost order.LostPolicy) *trio {
	cfg.Limit = 3 * time.Second
	s := &trio{newSeveral(t, cfg, order.LeaderConfig{Members: []string{"b", "c"}, Lost: lost}), map[string]*cut{}, func(int) {}}
	n := s.first.node("a")
	say, heard := s.first.says(n, "scan"), 0
	s.first.hears(n, "command", func(text string) { heard = heard*31 + len(text) })
	s.first.every(n, "tick", 100*time.Millisecond, func(at time.Time) {
		s.tick(int(at.Sub(time.Time{}) / (100 * time.Millisecond)))
		say(fmt.Sprint("x", heard))
	})
	s.relay("b", "scan", "plan")
	s.relay("c", "plan", "command")
	return s
}

// relay starts a member that publishes on one topic everything received so far on another.
func (s *trio) relay(name, from, to string) {
	wall := &cut{}
	if s.walls[name] == nil { // a second process is not disconnected
		s.walls[name] = wall
	}
	s.member(name, func(inner ros2.ServiceTransport) ros2.ServiceTransport {
		wall.ServiceTransport = late(inner)
		return wall
	}, func(a *application) {
		n := a.node(name)
		say, all := a.says(n, to), ""
		a.hears(n, from, func(text string) {
			all = fmt.Sprintf("%d %s", len(all)%97, text)
			say(all)
		})
	})
}

// strangers sends messages from outside, in order, with a pause between two; each has a topic and a text.
func (s *trio) strangers(messages [][2]string, pause func()) {
	far := s.net.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
	if err != nil {
		s.t.Fatal(err)
	}
	b := &application{t: s.t, tr: far}
	say := map[string]func(string){"scan": b.says(n, "scan"), "plan": b.says(n, "plan"), "command": b.says(n, "command")}
	for _, m := range messages {
		say[m[0]](m[1])
		pause()
	}
	if err := n.Close(); err != nil {
		s.t.Error(err)
	}
	far.Close()
}

// theirs are the messages from outside: several on one topic, two of them equal.
var theirs = [][2]string{{"scan", "1"}, {"command", "22"}, {"plan", "333"}, {"scan", "4444"}, {"scan", "1"}, {"plan", "55555"}, {"scan", "666"}}

// chance returns the record of a run with messages from outside.
func chance(t *testing.T) (record []order.Run) {
	synctest.Test(t, func(t *testing.T) {
		s := newTrio(t, order.Config{}, order.LostWaits)
		defer s.close()
		at := time.Duration(0)
		s.strangers(theirs, func() {
			time.Sleep(200 * time.Millisecond) // the members report the arrivals
			at += 70 * time.Millisecond
			s.advance(at)
		})
		s.advance(time.Second)
		record = s.first.history()
	})
	return record
}

// A run of three processes gets messages from outside. Each replay has the same record, whatever order these arrive in,
// all before the start or late, one process at a time or in parallel, and whichever is slow.
func TestReplayOfSeveral(t *testing.T) {
	record := chance(t)
	outside := 0
	for _, r := range record {
		if r.Outside && r.Got != 0 {
			outside++
		}
	}
	if outside != len(theirs) || len(record) < 40 {
		t.Fatalf("%d of %d callbacks are for messages from outside:\n%s", outside, len(record), text(record))
	}
	for i := range 12 {
		synctest.Test(t, func(t *testing.T) {
			s := newTrio(t, order.Config{Replay: record, Parallel: i%2 == 1}, order.LostWaits)
			defer s.close()
			messages := slices.Clone(theirs)
			rand.New(rand.NewPCG(uint64(i), 1)).Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
			pause := 400
			if i%3 == 0 {
				pause = 1
			}
			var talking task.Group
			talking.Go("strangers", func() {
				s.strangers(messages, func() { time.Sleep(time.Duration(random(pause)) * time.Millisecond) })
			})
			defer talking.Wait()
			for at := time.Duration(0); at <= time.Second; at += time.Duration(1+i) * 100 * time.Millisecond {
				s.advance(at)
			}
			s.advance(time.Second)
			if d := order.Difference(record, s.first.history()); d != "" {
				t.Errorf("replay %d: %s", i, d)
			}
			s.advance(1200 * time.Millisecond) // after the record the run continues normally
			if n := len(s.first.history()); n != len(record)+2*4 {
				t.Errorf("%d callbacks ran, %d of them in the record", n, len(record))
			}
		})
	}
}

// plain returns the record of a run without messages from outside.
func plain(t *testing.T) (record []order.Run) {
	synctest.Test(t, func(t *testing.T) {
		s := newTrio(t, order.Config{}, order.LostWaits)
		defer s.close()
		s.advance(time.Second)
		record = s.first.history()
	})
	return record
}

// changed returns a record with one line replaced by others.
func changed(record []order.Run, i int, by ...order.Run) []order.Run {
	return slices.Concat(record[:i], by, record[i+1:])
}

// The error of a divergence has its tag, description and process.
func TestDivergingReplays(t *testing.T) {
	record := plain(t)
	b := slices.IndexFunc(record, func(r order.Run) bool {
		return r.Process == "b" && r.Source.Name == "/scan" && r.Tag.Time == 300*time.Millisecond
	})
	last := len(record) - 1
	if b < 0 || record[last].Process != "" {
		t.Fatalf("the record:\n%s", text(record))
	}
	other := record[b]
	other.Sent = []order.Sent{{Topic: "/plan", Sum: 7}}
	ghost := record[b]
	ghost.Outside, ghost.Got = true, 5
	post := record[b]
	post.Outside, post.Source.Name = true, "end of /scan"
	extra := record[b]
	extra.Source.Name = "/more"
	early := record[b-1]
	early.Tag.Time -= 60 * time.Millisecond
	for _, c := range []struct {
		record []order.Run
		want   string
	}{
		{record, ""},
		{changed(record, b, other), `run 2 diverges from run 1 at t = 0.300 s: /b subscription "/scan" in b sent something else: another message on /plan`},
		{changed(record, b), `run 2 diverges from run 1 at t = 0.300 s: node /b ran before /c (/b subscription "/scan" in b, not /c subscription "/plan" in c)`},
		{changed(record, b, record[b+1], record[b]), `run 2 diverges from run 1 at t = 0.300 s: node /b ran before /c (/b subscription "/scan" in b, not /c subscription "/plan" in c)`},
		{changed(record, b, record[b], extra), `run 2 diverges from run 1 at t = 0.300 s: /b subscription "/more" in b did not run`},
		{changed(record, b, ghost), `run 2 diverges from run 1 at t = 0.300 s: the same message did not arrive for /b subscription "/scan" in b in 3s`},
		{changed(record, b, post), `run 2 diverges from run 1 at t = 0.300 s: /b subscription "/scan" in b ran before /b subscription "end of /scan" in b`},
		{changed(record, b-1, early), `run 2 diverges from run 1 at t = 0.240 s: /a timer "tick" is not due`},
	} {
		if got := replayed(t, c.record, order.LostWaits, func(*trio) {}); got != c.want {
			t.Errorf("%s, want\n%s", got, c.want)
		}
	}
	// Messages from outside that run 1 did not have are not delivered before its end.
	if got := replayed(t, record, order.LostWaits, func(s *trio) { s.strangers(theirs, func() {}) }); got != "" {
		t.Errorf("with strangers: %s", got)
	}
}

// The members of a replay must be those of the record, in the same order.
func TestMembersOfReplay(t *testing.T) {
	record := plain(t)
	alone := slices.DeleteFunc(slices.Clone(record), func(r order.Run) bool { return r.Process != "" })
	for _, c := range []struct {
		record  []order.Run
		members string
		want    string
	}{
		{record, "b", `run 2 diverges from run 1 at t = 0.000 s: member c does not participate`},
		{record, "b,c,d", `run 2 diverges from run 1 at t = 0.000 s: member d participates, but did not before`},
		{record, "c,b", `run 2 diverges from run 1 at t = 0.000 s: the order of members is c, b, not b, c`},
		{alone, "b", `run 2 diverges from run 1 at t = 0.000 s: member b participates, but did not before`},
	} {
		a := newApplication(t, order.Config{Replay: c.record}, nil)
		l, err := order.Lead(a.c, order.LeaderConfig{Transport: a.inner, Members: strings.Split(c.members, ",")})
		if !errors.Is(err, order.ErrDiverged) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", c.members, l, err)
		}
		a.close()
	}
	a := newApplication(t, order.Config{Replay: record[2:]}, nil)
	defer a.close()
	if _, err := order.Lead(a.c, order.LeaderConfig{Transport: a.inner, Members: []string{"b", "c"}}); !errors.Is(err, order.ErrRecord) {
		t.Errorf("a record without its beginning: %v", err)
	}
}

// A replay waits for a missing member and names it; an additional one is rejected without effect.
func TestMissingAndUnknownMembersOfReplay(t *testing.T) {
	record := plain(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSeveral(t, order.Config{Replay: record, Limit: time.Second}, order.LeaderConfig{Members: []string{"b", "c"}})
		waits := make(chan []string, 1)
		s.later(time.Minute, func() {
			waits <- s.leader.Waits()
			if err := s.leader.Close(); err != nil {
				t.Error(err)
			}
		})
		s.member("b", nil, func(a *application) { a.node("b") })
		if err := s.leader.Advance(time.Time{}.Add(time.Second)); !errors.Is(err, order.ErrClosed) {
			t.Errorf("ended with %v", err)
		}
		if all := <-waits; !slices.Contains(all, "member c, which has not joined") {
			t.Errorf("waits for %q", all)
		}
		s.close()
	})
	got := replayed(t, record, order.LostWaits, func(s *trio) {
		a := newApplication(t, order.Config{}, s.net.NewTransport())
		m, err := order.Join(a.c, order.MemberConfig{Name: "d", Transport: a.inner})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(context.Background()); !errors.Is(err, order.ErrRefused) {
			t.Errorf("the strange one ended with %v", err)
		}
		a.close()
	})
	if got != "" {
		t.Error(got)
	}
}
