// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// simulator is an application whose leader's process runs a step of two robots between two calls of Advance; a robot's
// position depends on whether commands have arrived before or after it. b is a member that hears both.
type simulator struct {
	*several
	robots [2]func() // their steps
	nodes  [2]*ros2.Node
}

func newSimulator(t *testing.T, cfg order.Config) *simulator {
	s := &simulator{several: newSeveral(t, cfg, order.LeaderConfig{Members: []string{"b"}})}
	for i, name := range []string{"epuck1", "epuck2"} {
		n := s.first.node(name)
		say, position, speed := s.first.says(n, name+"/odom"), 0, 1
		s.first.hears(n, name+"/cmd", func(text string) { speed = len(text) })
		s.nodes[i] = n
		s.robots[i] = func() {
			position = position*31 + speed
			say(fmt.Sprint(position))
		}
	}
	s.member("b", nil, func(a *application) {
		n := a.node("b")
		a.hears(n, "epuck1/odom", func(string) {})
		a.hears(n, "epuck2/odom", func(string) {})
	})
	return s
}

// step runs a step of the simulation to a time.
func (s *simulator) step(at time.Duration) error {
	s.advance(at)
	for i, step := range s.robots {
		if err := s.leader.Do(ros2.CallbackSource{Node: s.nodes[i].Name(), Kind: ros2.TimerCallback, Name: "step"}, step); err != nil {
			return err
		}
	}
	return s.leader.Advance(time.Time{}.Add(at))
}

// What the leader's process does between two calls of Advance is recorded as callbacks at one microstep, and their
// messages arrive at the next one.
func TestDoRunsCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSimulator(t, order.Config{})
		defer s.close()
		for _, at := range []time.Duration{0, 10 * time.Millisecond} {
			if err := s.step(at); err != nil {
				t.Fatal(err)
			}
		}
		s.first.expect(
			`0.000000000+1 /epuck1 timer "step" > /epuck1/odom`,
			`0.000000000+1 /epuck2 timer "step" > /epuck2/odom`,
			`0.000000000+2 /b subscription "/epuck1/odom" in b`,
			`0.000000000+2 /b subscription "/epuck2/odom" in b`,
			`0.010000000+1 /epuck1 timer "step" > /epuck1/odom`,
			`0.010000000+1 /epuck2 timer "step" > /epuck2/odom`,
			`0.010000000+2 /b subscription "/epuck1/odom" in b`,
			`0.010000000+2 /b subscription "/epuck2/odom" in b`,
		)
	})
}

// A command from outside arrives before or after the steps of its time. A replay repeats which, and names a step that
// sends something else.
func TestDoIsReplayed(t *testing.T) {
	for _, before := range []bool{true, false} {
		run := func(cfg order.Config, command string, extra func(s *simulator)) (record []order.Run, err error) {
			synctest.Test(t, func(t *testing.T) {
				s := newSimulator(t, cfg)
				defer s.close()
				far := s.net.NewTransport()
				defer far.Close()
				n, problem := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: far})
				if problem != nil {
					t.Fatal(problem)
				}
				defer n.Close()
				say := (&application{t: t, tr: far}).says(n, "epuck2/cmd")
				plain := s.robots[0]
				if cfg.Replay != nil { // it waits for its position
					say(command)
				}
				if err = s.step(0); err != nil {
					return
				}
				switch {
				case cfg.Replay != nil:
				case before:
					say(command)
					synctest.Wait()
				default:
					s.robots[0] = func() {
						plain()
						say(command)
					}
				}
				if extra != nil {
					extra(s)
				}
				err = s.step(10 * time.Millisecond)
				synctest.Wait()
				s.robots[0] = plain
				for i := 2; i < 5 && err == nil; i++ {
					err = s.step(time.Duration(i) * 10 * time.Millisecond)
				}
				record = s.first.history()
			})
			return record, err
		}
		record, err := run(order.Config{}, "fast", nil)
		if err != nil || len(record) != 22 {
			t.Fatalf("%d callbacks, want 22: %v\n%s", len(record), err, text(record))
		}
		again, err := run(order.Config{Replay: record}, "fast", nil)
		if d := order.Difference(record, again); d != "" || err != nil {
			t.Errorf("a command before the step: %v: %s %v", before, d, err)
		}
		_, err = run(order.Config{Replay: record}, "fast", func(s *simulator) { s.robots[1] = s.robots[0] })
		if !errors.Is(err, order.ErrDiverged) {
			t.Errorf("another step: %v", err)
		}
	}
}

// Do reports that the run has ended, and the record omits messages of types whose content depends on the machine.
func TestDoEndsAndOmits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApplication(t, order.Config{Omit: func(typ string) bool { return typ == "std_msgs/msg/String" }}, ros2test.NewTransport())
		l, err := order.Lead(a.c, order.LeaderConfig{Transport: a.inner})
		if err != nil {
			t.Fatal(err)
		}
		n := a.node("a")
		say, heard := a.says(n, "x"), ""
		a.hears(n, "x", func(text string) { heard = text })
		source := ros2.CallbackSource{Node: n.Name(), Kind: ros2.TimerCallback, Name: "step"}
		if err := errors.Join(l.Advance(time.Time{}), l.Do(source, func() { say("hello") }), l.Advance(time.Time{})); err != nil {
			t.Fatal(err)
		}
		a.expect(`0.000000000+1 /a timer "step"`, `0.000000000+2 /a subscription "/x"`)
		if heard != "hello" {
			t.Errorf("heard %q", heard)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := l.Do(source, func() { t.Error("ran after the end") }); !errors.Is(err, order.ErrClosed) {
			t.Error(err)
		}
		a.close()
	})
}
