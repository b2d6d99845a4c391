// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// end closes everything, whatever the state of the members.
func (s *trio) end() {
	s.t.Helper()
	for _, w := range s.walls {
		w.set(false)
	}
	if err := s.leader.Close(); err != nil {
		s.t.Error(err)
	}
	s.group.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.members {
		select {
		case err := <-s.ended[i]:
			if err != nil && !errors.Is(err, order.ErrRefused) && !errors.Is(err, order.ErrClosed) {
				s.t.Errorf("member %d: %v", i, err)
			}
		default: // it was checked before
		}
		a.close()
	}
	s.first.close()
}

// replayed replays a record with processes modified by change. It returns how the run diverges.
func replayed(t *testing.T, record []order.Run, lost order.LostPolicy, change func(s *trio)) (message string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newTrio(t, order.Config{Replay: record}, lost)
		change(s)
		var err error
		for at := time.Duration(0); at <= time.Second && err == nil; at += 250 * time.Millisecond {
			err = s.leader.Advance(time.Time{}.Add(at))
		}
		if err != nil {
			if again := s.leader.Advance(time.Time{}.Add(2 * time.Second)); !errors.Is(err, order.ErrDiverged) || again == nil || again.Error() != err.Error() {
				t.Errorf("%v, and then %v", err, again)
			}
			message = strings.TrimPrefix(err.Error(), "order: the run diverges from its record: ")
		}
		for _, w := range s.walls {
			w.set(false)
		}
		if err := s.leader.Close(); err != nil {
			t.Error(err)
		}
		s.group.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		for i, a := range s.members {
			if err := <-s.ended[i]; err != nil && !errors.Is(err, order.ErrRefused) && !errors.Is(err, order.ErrClosed) {
				t.Errorf("member %d: %v", i, err)
			}
			a.close()
		}
		s.first.close()
	})
	return message
}

// A member that dies in the replay, in whatever way, is named, with its missing callback.
func TestMemberDiesDuringReplay(t *testing.T) {
	record := plain(t)
	const before = ` before /b subscription "/scan" in b`
	for _, c := range []struct {
		lost order.LostPolicy
		die  func(s *trio)
		want string
	}{
		{order.LostLeaves, func(s *trio) { s.walls["b"].set(true) }, `run 2 diverges from run 1 at t = 0.500 s: member b is lost` + before},
		{order.LostWaits, func(s *trio) { s.members[0].c.Close() }, `run 2 diverges from run 1 at t = 0.500 s: member b has left` + before},
		{order.LostWaits, func(s *trio) {
			s.walls["b"].set(true)
			s.later(20*time.Second, func() { s.relay("b", "scan", "plan") })
		}, `run 2 diverges from run 1 at t = 0.500 s: member b was started again` + before},
	} {
		got := replayed(t, record, c.lost, func(s *trio) {
			s.tick = func(i int) {
				if i == 5 {
					c.die(s)
				}
			}
		})
		if got != c.want {
			t.Errorf("%s, want\n%s", got, c.want)
		}
	}
	// It may die after its last callback.
	late := func(s *trio) {
		s.tick = func(i int) {
			if i == 11 {
				s.members[0].c.Close()
			}
		}
	}
	if got := replayed(t, record, order.LostWaits, late); got != "" {
		t.Error(got)
	}
}

// losses are runs in which member b ends: it is lost, leaves, or is restarted.
var losses = []struct {
	line string
	lost order.LostPolicy
	end  func(s *trio)
}{
	{"lost", order.LostLeaves, func(s *trio) { s.walls["b"].set(true) }},
	{"left", order.LostWaits, func(s *trio) { s.members[0].c.Close() }},
	{"joined again", order.LostWaits, func(s *trio) {
		s.walls["b"].set(true)
		s.later(20*time.Second, func() { s.relay("b", "scan", "plan") })
	}},
}

// The changes of a member in the run are repeated in its replay: a healthy one is dismissed at the same position, and a
// new process with its name joins where it did.
func TestLossesAreReplayed(t *testing.T) {
	for _, c := range losses {
		var record []order.Run
		synctest.Test(t, func(t *testing.T) {
			s := newTrio(t, order.Config{}, c.lost)
			s.tick = func(i int) {
				if i == 5 {
					c.end(s)
				}
			}
			s.advance(time.Second)
			record = s.first.history()
			s.end()
		})
		if !slices.ContainsFunc(record, func(r order.Run) bool { return r.Source.Name == c.line }) {
			t.Fatalf("%s: the record:\n%s", c.line, text(record))
		}
		for _, parallel := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newTrio(t, order.Config{Replay: record, Parallel: parallel}, order.LostWaits)
				again := make(chan error, 1)
				s.group.Go("starts it again", func() {
					again <- <-s.ended[0]
					if c.line == "joined again" {
						s.relay("b", "scan", "plan")
					}
				})
				s.advance(450 * time.Millisecond)
				s.advance(time.Second)
				if d := order.Difference(record, s.first.history()); d != "" {
					t.Errorf("%s: %s", c.line, d)
				}
				if err := <-again; !errors.Is(err, order.ErrRefused) {
					t.Errorf("%s: the process ended with %v", c.line, err)
				}
				s.end()
			})
		}
	}
}

// A new process that does not join is reported, too.
func TestMissingNewProcessInReplay(t *testing.T) {
	record := plain(t)
	i := slices.IndexFunc(record, func(r order.Run) bool { return r.Tag.Time == 500*time.Millisecond })
	again := record[0]
	again.Tag, again.Source.Name = record[i-1].Tag, "joined again"
	got := replayed(t, changed(record, i, again, record[i]), order.LostWaits, func(*trio) {})
	if want := `run 2 diverges from run 1 at t = 0.400 s: no new process with the name joined for /b timer "joined again" in b in 3s`; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
