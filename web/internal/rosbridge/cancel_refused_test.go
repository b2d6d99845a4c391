// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// refuseCancel makes the robot serve /steady, whose goals take ten seconds. It refuses cancel requests, each after
// a time, until allow is called.
func (s *scene) refuseCancel(after time.Duration) (allow func(), end func()) {
	s.Helper()
	allowed := make(chan struct{})
	server, err := action.NewServer(s.robot, example_interfaces.Fibonacci{}, "steady", action.Config[fibonacciGoal, fibonacciResult, feedback]{
		Execute: func(ctx context.Context, _ *action.Goal[fibonacciGoal, feedback]) (*fibonacciResult, error) {
			select {
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			case <-time.After(10 * time.Second):
				return &fibonacciResult{Sequence: []int32{1, 1, 2}}, nil
			}
		},
		Cancel: func(*action.Goal[fibonacciGoal, feedback]) error {
			select {
			case <-allowed:
				return nil
			case <-time.After(after):
				return errors.New("the arm holds a cup")
			}
		},
	})
	s.must(err)
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
	return func() { close(allowed) }, func() { s.must(server.Close()) }
}

// TestRefusedCancelLeavesTheGoal: the client gets the refusal as a status with the goal's id, and later the result of
// the goal, which continues: also if it was canceled before the server had accepted it, and if the refusal takes time.
func TestRefusedCancelLeavesTheGoal(t *testing.T) {
	for name, c := range map[string]struct{ cancelAfter, refuseAfter time.Duration }{
		"at once":                    {time.Second, 0},
		"later":                      {time.Second, 3 * time.Second},
		"before acceptance":          {0, 0},
		"before acceptance, later":   {0, 3 * time.Second},
		"in the goal's last seconds": {8 * time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inScene(t, guard.Drive, func(s *scene) {
				_, end := s.refuseCancel(c.refuseAfter)
				defer end()
				s.say(`{"op":"send_action_goal","id":"g","action":"/steady","args":{"order":3}}`)
				time.Sleep(c.cancelAfter)
				s.say(`{"op":"cancel_action_goal","id":"g","action":"/steady"}`)
				s.refusedCancel()
				s.completed()
				if data, _ := s.frame(); data != nil {
					s.Errorf("after the result: %s", data)
				}
			})
		})
	}
}

// TestCancelAfterARefusal: a refused request can be repeated, also while the server considers it, and is accepted when
// the server cancels the goal.
func TestCancelAfterARefusal(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		allow, end := s.refuseCancel(time.Second)
		defer end()
		s.say(`{"op":"send_action_goal","id":"g","action":"/steady","args":{"order":3}}`)
		time.Sleep(time.Second)
		for range 2 {
			for range 3 { // the server gets one request at a time
				s.say(`{"op":"cancel_action_goal","id":"g","action":"/steady"}`)
			}
			s.refusedCancel()
		}
		allow()
		s.say(`{"op":"cancel_action_goal","id":"g","action":"/steady"}`)
		if m := s.hear(); m["op"] != "action_result" || m["id"] != "g" || m["status"] != float64(action.Canceled) || m["result"] != true {
			s.Errorf("%v, want the result of a canceled goal", m)
		}
	})
}

// TestRefusedCancelConcernsOneGoal: other goals of the client at the same server are not concerned.
func TestRefusedCancelConcernsOneGoal(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		_, end := s.refuseCancel(0)
		defer end()
		s.say(`{"op":"send_action_goal","id":"g","action":"/steady","args":{"order":3}}`)
		s.say(`{"op":"send_action_goal","id":"other","action":"/steady","args":{"order":3}}`)
		time.Sleep(time.Second)
		s.say(`{"op":"cancel_action_goal","id":"g","action":"/steady"}`)
		s.refusedCancel()
		ids := map[any]bool{}
		for range 2 {
			m := s.hear()
			if m["op"] != "action_result" || m["status"] != float64(action.Succeeded) {
				s.Errorf("%v", m)
			}
			ids[m["id"]] = true
		}
		if !ids["g"] || !ids["other"] {
			s.Errorf("results of %v", ids)
		}
	})
}

// refusedCancel expects the status of a refused cancel request for the goal g.
func (s *scene) refusedCancel() {
	s.Helper()
	m := s.hear()
	if m["op"] != "status" || m["level"] != "error" || m["id"] != "g" || m["msg"] != "rosbridge: bad message: the server of /steady does not cancel the goal (return code 1)" {
		s.Errorf("%v, want the refusal", m)
	}
}

// completed expects the result of the goal g.
func (s *scene) completed() {
	s.Helper()
	m := s.hear()
	if m["op"] != "action_result" || m["id"] != "g" || m["status"] != float64(action.Succeeded) || m["result"] != true || asJSON(s.T, m["values"]) != `{"sequence":[1,1,2]}` {
		s.Errorf("%v, want the goal's result", m)
	}
}
