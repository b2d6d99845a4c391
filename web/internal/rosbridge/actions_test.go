// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

type (
	fibonacciGoal   = example_interfaces.FibonacciGoal
	fibonacciResult = example_interfaces.FibonacciResult
	feedback        = example_interfaces.FibonacciFeedback
)

// serveFibonacci makes the robot serve /fibonacci: it gives feedback once a second, order times.
func (s *scene) serveFibonacci() (end func()) {
	s.Helper()
	server, err := action.NewServer(s.robot, example_interfaces.Fibonacci{}, "fibonacci", action.Config[fibonacciGoal, fibonacciResult, feedback]{
		Accept: func(goal *fibonacciGoal) error {
			if goal.Order < 0 {
				return errors.New("negative")
			}
			return nil
		},
		Execute: func(ctx context.Context, g *action.Goal[fibonacciGoal, feedback]) (*fibonacciResult, error) {
			result := &fibonacciResult{}
			for i := range g.Goal.Order {
				result.Sequence = append(result.Sequence, i)
				if err := g.Feedback(&feedback{Sequence: result.Sequence}); err != nil {
					return result, err
				}
				select {
				case <-ctx.Done():
					return result, context.Cause(ctx)
				case <-time.After(time.Second):
				}
			}
			return result, nil
		},
	})
	s.must(err)
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
	return func() { s.must(server.Close()) }
}

// TestGoalWithFeedbackAndResult: as roslib's Action sends it, also with the type of ROS 1, a list of arguments, a
// number as id, and the id in the name.
func TestGoalWithFeedbackAndResult(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		defer s.serveFibonacci()()
		for _, c := range []struct{ id, say string }{
			{`"g1"`, `{"op":"send_action_goal","id":"g1","action":"/fibonacci","action_type":"example_interfaces/action/Fibonacci","args":{"order":2},"feedback":true}`},
			{`7`, `{"op":"send_action_goal","id":7,"action":"fibonacci","action_type":"example_interfaces/Fibonacci","args":[2],"feedback":true}`},
			{`"old"`, `{"op":"send_action_goal","action":"/fibonacci#old","args":{"order":2},"feedback":true}`},
		} {
			s.say("%s", c.say)
			for i := range 2 {
				m := s.hear()
				values, _ := m["values"].(map[string]any)
				if list, _ := values["sequence"].([]any); m["op"] != "action_feedback" || asJSON(s.T, m["id"]) != c.id || len(list) != i+1 {
					s.Errorf("%s: feedback %d: %v", c.say, i, m)
				}
			}
			m := s.hear()
			if m["op"] != "action_result" || asJSON(s.T, m["id"]) != c.id || m["result"] != true || m["status"] != 4.0 || asJSON(s.T, m["values"]) != `{"sequence":[0,1]}` {
				s.Errorf("%s: %v", c.say, m)
			}
		}
		s.say(`{"op":"send_action_goal","id":"quiet","action":"/fibonacci","args":{"order":1}}`)
		if m := s.hear(); m["op"] != "action_result" {
			s.Errorf("feedback that was not demanded: %v", m)
		}
	})
}

// TestGoalIsCanceled: by cancel_action_goal, also at once, and by the service as roslib's cancelAllGoals calls it.
func TestGoalIsCanceled(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		defer s.serveFibonacci()()
		for _, wait := range []time.Duration{0, 1500 * time.Millisecond} {
			s.say(`{"op":"send_action_goal","id":"g","action":"/fibonacci","args":{"order":100}}`)
			time.Sleep(wait)
			s.say(`{"op":"cancel_action_goal","id":"g","action":"/fibonacci"}`)
			if m := s.hear(); m["op"] != "action_result" || m["status"] != 5.0 || m["result"] != true {
				s.Errorf("canceled after %v: %v", wait, m)
			}
		}
		s.say(`{"op":"send_action_goal","id":"a","action":"/fibonacci","args":{"order":100}}`)
		time.Sleep(time.Second)
		s.say(`{"op":"call_service","id":"7","service":"/fibonacci/_action/cancel_goal","args":{}}`)
		answers := map[any]map[string]any{} // by operation: the response and the result come in any order
		for range 2 {
			m := s.hear()
			answers[m["op"]] = m
		}
		if m := answers["service_response"]; m["result"] != true || m["id"] != "7" {
			s.Errorf("cancel_goal is refused: %v", m)
		}
		if m := answers["action_result"]; m["status"] != 5.0 || m["id"] != "a" {
			s.Errorf("%v", m)
		}
		s.say(`{"op":"cancel_action_goal","id":"a","action":"/fibonacci"}`)
		s.refused("in progress")
	})
}

// TestIDOfAGoalIsFreeWithItsResult: a client that has received the result of a goal may use its id at once, because the goal
// is removed before its result is sent.
func TestIDOfAGoalIsFreeWithItsResult(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		defer s.serveFibonacci()()
		s.say(`{"op":"send_action_goal","id":"g","action":"/fibonacci","args":{"order":1}}`)
		s.client.goals.mu.Lock() // the goal, which ends in a second, cannot be removed
		time.Sleep(time.Second)
		done, cancel := context.WithCancel(s.Context())
		cancel()
		for range 200_000 { // the goal has ended meanwhile
			if frames, _ := s.client.box.Next(done, nil, 1<<20); len(frames) > 0 {
				s.Error("the result is sent while the goal has its id")
				break
			}
			runtime.Gosched()
		}
		s.client.goals.mu.Unlock()
		for i := range 20 {
			if m := s.hear(); m["op"] != "action_result" || m["result"] != true {
				s.Fatalf("goal %d: %v", i, m)
			}
			s.say(`{"op":"send_action_goal","id":"g","action":"/fibonacci","args":{"order":0}}`)
		}
		s.hear()
	})
}

// TestGoalsThatFail: a goal that is not executed has a result that is false, with the reason.
func TestGoalsThatFail(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		end := s.serveFibonacci()
		for _, c := range []struct{ say, want string }{
			{`{"op":"send_action_goal","id":"x","action":"/none","args":{}}`, "no node serves the action \"/none\""},
			{`{"op":"send_action_goal","id":"x","action":"/fibonacci","args":{"order":-1}}`, "rejected"},
			{`{"op":"send_action_goal","id":"x","action":"/fibonacci","args":{"ordr":1}}`, `no field "ordr"`},
			{`{"op":"send_action_goal","id":"x","action":"/fibonacci","action_type":"nav2_msgs/NavigateToPose"}`, "has type example_interfaces/action/Fibonacci"},
		} {
			s.say("%s", c.say)
			m := s.hear()
			if reason := fmt.Sprint(m["values"]); m["op"] != "action_result" || m["id"] != "x" || m["result"] != false || m["status"] != 0.0 || !strings.Contains(reason, c.want) {
				s.Errorf("%s: %v", c.say, m)
			}
		}
		s.say(`{"op":"send_action_goal","id":"lost","action":"/fibonacci","args":{"order":1000}}`)
		time.Sleep(time.Second)
		s.say(`{"op":"send_action_goal","id":"lost","action":"/fibonacci","args":{"order":1}}`)
		if m := s.hear(); !strings.Contains(fmt.Sprint(m["values"]), "has not ended") {
			s.Errorf("the same id twice: %v", m)
		}
		end()
		if m := s.hear(); m["op"] != "action_result" || m["id"] != "lost" {
			s.Errorf("the server has left: %v", m)
		}
		s.client.role = guard.View
		s.say(`{"op":"send_action_goal","id":"x","action":"/fibonacci","args":{"order":1}}`)
		if m := s.hear(); !strings.Contains(fmt.Sprint(m["values"]), ErrRights.Error()) {
			s.Errorf("%v", m)
		}
		s.say(`{"op":"advertise_action","action":"/a","type":"example_interfaces/Fibonacci"}`)
		s.refused(ErrRights.Error())
	})
}

// TestOfferedAction: a client executes goals of other nodes: feedback, success, failure, cancel, and its leaving.
func TestOfferedAction(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		s.say(`{"op":"advertise_action","action":"/page/count","type":"example_interfaces/Fibonacci"}`)
		caller, err := action.NewClient(s.robot, example_interfaces.Fibonacci{}, "/page/count")
		s.must(err)
		defer func() { s.must(caller.Close()) }()
		send := func() (id string, got chan string) {
			got = make(chan string, 10)
			go func() {
				sent, err := caller.Send(s.Context(), &fibonacciGoal{Order: 3}, func(f *feedback) { got <- fmt.Sprint("feedback ", f.Sequence) })
				if err != nil {
					got <- err.Error()
					return
				}
				result, err := sent.Result(s.Context())
				if result == nil {
					result = &fibonacciResult{}
				}
				got <- fmt.Sprint(result.Sequence, " ", err)
			}()
			m := s.hear()
			if m["op"] != "send_action_goal" || m["action"] != "/page/count" || asJSON(s.T, m["args"]) != `{"order":3}` || m["feedback"] != true {
				s.Errorf("%v", m)
			}
			id, _ = m["id"].(string)
			return id, got
		}
		id, got := send()
		s.say(`{"op":"action_feedback","action":"/page/count","id":%q,"values":{"sequence":[1]}}`, id)
		if f := <-got; f != "feedback [1]" {
			s.Error(f)
		}
		s.say(`{"op":"action_result","action":"/page/count","id":%q,"values":{"sequence":[1,2]},"status":4,"result":true}`, id)
		if f := <-got; f != "[1 2] <nil>" {
			s.Error(f)
		}
		s.say(`{"op":"action_result","action":"/page/count","id":%q,"values":{},"status":4,"result":true}`, id)
		s.refused("in progress")
		id, got = send()
		s.say(`{"op":"action_result","action":"/page/count","id":%q,"status":6,"result":false}`, id)
		if f := <-got; !strings.Contains(f, action.ErrAborted.Error()) {
			s.Error(f)
		}
		id, got = send()
		s.say(`{"op":"call_service","service":"/page/count/_action/cancel_goal","args":{}}`)
		for range 2 { // the response and the request to cancel
			if m := s.hear(); m["op"] == "cancel_action_goal" && (m["id"] != id || m["action"] != "/page/count") || m["op"] == "service_response" && m["result"] != true {
				s.Errorf("%v", m)
			}
		}
		s.say(`{"op":"action_result","action":"/page/count","id":%q,"values":{},"status":5,"result":true}`, id)
		if f := <-got; !strings.Contains(f, action.ErrCanceled.Error()) {
			s.Error(f)
		}
		_, got = send()
		s.say(`{"op":"unadvertise_action","action":"/page/count"}`)
		if f := <-got; !strings.Contains(f, action.ErrAborted.Error()) {
			s.Error(f)
		}
		s.say(`{"op":"action_feedback","action":"/page/count","id":"x","values":{}}`)
		s.refused("not offered")
		s.say(`{"op":"advertise_action","action":"/page/odd","type":"no/Such"}`)
		s.refused("no/action/Such")
	})
}
