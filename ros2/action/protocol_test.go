// SPDX-License-Identifier: Apache-2.0

package action_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// bare sends arbitrary requests to the three services of a server.
type bare struct {
	t      *testing.T
	send   *ros2.Client[action.FibSend, action.FibAccepted]
	result *ros2.Client[action.FibAsk, action.FibEnd]
	cancel *ros2.Client[action_msgs.CancelGoalRequest, action_msgs.CancelGoalResponse]
}

// hold executes a goal until its context ends.
func hold(ctx context.Context, g *handled) (*result, error) {
	if g.Goal.Order > 0 {
		return &result{Sequence: []int32{g.Goal.Order}}, nil
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func withBare(t *testing.T, check func(t *testing.T, b *bare)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "both", Transport: tr})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		s, err := action.NewServer(n, example_interfaces.Fibonacci{}, "fib", config{Execute: hold})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		b := &bare{t: t}
		var errs [3]error
		b.send, errs[0] = ros2.NewClient(n, action.FibGoalService{}, "fib/_action/send_goal")
		b.result, errs[1] = ros2.NewClient(n, action.FibResultService{}, "fib/_action/get_result")
		b.cancel, errs[2] = ros2.NewClient(n, action_msgs.CancelGoal{}, "fib/_action/cancel_goal")
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(err)
		}
		check(t, b)
	})
}

// goal sends a goal with a one-byte ID and returns when it was accepted.
func (b *bare) goal(id byte, order int32) (accepted bool, at builtin_interfaces.Time) {
	b.t.Helper()
	r, err := b.send.Call(b.t.Context(), &action.FibSend{GoalID: idOf(id), Body: goal{Order: order}})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Accepted, r.Stamp
}

func idOf(b byte) (id action.ID) {
	id.UUID[0] = b
	return id
}

// canceled sends a cancel request and returns the response, "0: 1 2" for the goals 1 and 2.
func (b *bare) canceled(id byte, at builtin_interfaces.Time) string {
	b.t.Helper()
	r, err := b.cancel.Call(b.t.Context(), &action_msgs.CancelGoalRequest{GoalInfo: action_msgs.GoalInfo{GoalID: idOf(id), Stamp: at}})
	if err != nil {
		b.t.Fatal(err)
	}
	out := fmt.Sprint(r.ReturnCode, ":")
	for _, g := range r.GoalsCanceling {
		out += fmt.Sprint(" ", g.GoalID.UUID[0])
	}
	return out
}

// A cancel request selects goals as in rcl_action_process_cancel_request; only a request for one goal, without a time,
// fails because the goal has ended or is unknown. Goals 1, 2 and 3 are accepted a second apart and do not end by
// themselves; goal 9 has ended, goal 8 is unknown.
func TestCancelRequestSelectsGoals(t *testing.T) {
	never := builtin_interfaces.Time{}
	for _, c := range []struct {
		id   byte
		time string // of which goal
		want string
	}{
		{0, "", "0: 1 2 3"},
		{2, "", "0: 2"},
		{0, "2", "0: 1 2"},
		{0, "early", "0:"},
		{3, "1", "0: 1 3"},
		{3, "3", "0: 1 2 3"},
		{8, "", "2:"},
		{9, "", "3:"},
		{8, "2", "0: 1 2"},
		{9, "early", "0:"},
		{8, "early", "0:"},
	} {
		withBare(t, func(t *testing.T, b *bare) {
			early := b.clock()
			times := map[string]builtin_interfaces.Time{"": never, "early": early}
			for id := range byte(3) {
				time.Sleep(time.Second)
				_, at := b.goal(id+1, 0)
				times[fmt.Sprint(id+1)] = at
			}
			time.Sleep(time.Second)
			b.goal(9, 1)
			synctest.Wait()
			if got := b.canceled(c.id, times[c.time]); got != c.want {
				t.Errorf("cancel %d up to %q: %s, want %s", c.id, c.time, got, c.want)
			}
		})
	}
}

func (b *bare) clock() (at builtin_interfaces.Time) {
	at.Sec, at.Nanosec = ros2.Stamp(time.Now())
	return at
}

func TestGoalIDIsAcceptedOnce(t *testing.T) {
	withBare(t, func(t *testing.T, b *bare) {
		if accepted, at := b.goal(1, 0); !accepted || at == (builtin_interfaces.Time{}) {
			t.Error(accepted, at)
		}
		if accepted, _ := b.goal(1, 0); accepted {
			t.Error("the same identity was accepted twice")
		}
		b.goal(2, 1)
		synctest.Wait()
		if accepted, _ := b.goal(2, 1); accepted {
			t.Error("the identity of a goal that has ended was accepted")
		}
	})
}

// Any number of clients get a result, before and after the end of the goal; that of an unknown goal is empty.
func TestEveryClientGetsResult(t *testing.T) {
	withBare(t, func(t *testing.T, b *bare) {
		b.goal(1, 0)
		ends := make(chan action.Status, 3*action.MaxWaiting)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		for range action.MaxWaiting + 10 {
			go func() {
				if r, err := b.result.Call(ctx, &action.FibAsk{GoalID: idOf(1)}); err == nil {
					ends <- r.Status
				}
			}()
		}
		synctest.Wait()
		if got := b.canceled(1, builtin_interfaces.Time{}); got != "0: 1" {
			t.Error(got)
		}
		synctest.Wait()
		if len(ends) != action.MaxWaiting {
			t.Errorf("%d got the result, want the first %d", len(ends), action.MaxWaiting)
		}
		for len(ends) > 0 {
			if s := <-ends; s != action.Canceled {
				t.Error(s)
			}
		}
		r, err := b.result.Call(t.Context(), &action.FibAsk{GoalID: idOf(1)})
		if err != nil || r.Status != action.Canceled {
			t.Error(r, err)
		}
		if r, err = b.result.Call(t.Context(), &action.FibAsk{GoalID: idOf(7)}); err != nil || r.Status != action.Unknown || len(r.Result.Sequence) != 0 {
			t.Error(r, err)
		}
		cancel()
		synctest.Wait()
	})
}

// The bytes of the messages are those of a little-endian ROS 2: the ID, then the message of the action.
func TestMessagesOnTheWire(t *testing.T) {
	id := action.ID{}
	for i := range id.UUID {
		id.UUID[i] = byte(i)
	}
	const uuid = "000102030405060708090a0b0c0d0e0f"
	for want, m := range map[string]ros2.Message{
		"00010000" + uuid + "05000000":                            &action.FibSend{GoalID: id, Body: goal{Order: 5}},
		"00010000" + "01000000" + "0a000000" + "ff000000":         &action.FibAccepted{Accepted: true, Stamp: builtin_interfaces.Time{Sec: 10, Nanosec: 255}},
		"00010000" + uuid:                                         &action.FibAsk{GoalID: id},
		"00010000" + "04000000" + "02000000" + "0000000001000000": &action.FibEnd{Status: action.Succeeded, Result: result{Sequence: []int32{0, 1}}},
		"00010000" + uuid + "01000000" + "07000000":               &action.FibFeedback{GoalID: id, Body: feedback{Sequence: []int32{7}}},
	} {
		data, err := cdr.Marshal(nil, m)
		if err != nil || hex.EncodeToString(data) != want {
			t.Errorf("%T: %x, want %s (%v)", m, data, want, err)
		}
		for n := range data {
			if err := cdr.Unmarshal(data[:n], m); err == nil {
				t.Errorf("%T: read from %d of %d bytes", m, n, len(data))
			} else if n > 4 && !strings.Contains(err.Error(), "Fibonacci_") && !strings.Contains(err.Error(), "UUID") && !strings.Contains(err.Error(), "Time") {
				t.Errorf("%T: the error does not say where: %v", m, err)
			}
		}
	}
}

// The bytes of the messages that all actions share, derived by hand from action_msgs' definitions and the rules of CDR:
// the second state of an array begins right after the int8 of the first, so its time is padded.
func TestSharedMessagesOnTheWire(t *testing.T) {
	info := func(id byte) (g action_msgs.GoalInfo) {
		g.GoalID.UUID[0], g.GoalID.UUID[15] = id, 0xee
		g.Stamp = builtin_interfaces.Time{Sec: 10, Nanosec: 255}
		return g
	}
	uuid := func(id string) string { return id + "0000000000000000000000000000" + "ee" }
	const stamp = "0a000000" + "ff000000"
	for want, m := range map[string]ros2.Message{
		"00010000" + uuid("01") + stamp: &action_msgs.CancelGoalRequest{GoalInfo: info(1)},
		"00010000" + "00000000" + "02000000" + uuid("01") + stamp + uuid("02") + stamp: &action_msgs.CancelGoalResponse{
			GoalsCanceling: []action_msgs.GoalInfo{info(1), info(2)}},
		"00010000" + "03000000" + "00000000": &action_msgs.CancelGoalResponse{
			ReturnCode: action_msgs.CancelGoalResponseErrorGoalTerminated},
		"00010000" + "02000000" + uuid("01") + stamp + "02" + uuid("02") + "000000" + stamp + "05": &action_msgs.GoalStatusArray{
			StatusList: []action_msgs.GoalStatus{{GoalInfo: info(1), Status: 2}, {GoalInfo: info(2), Status: 5}}},
	} {
		data, err := cdr.Marshal(nil, m)
		if got := hex.EncodeToString(data); err != nil || got != want {
			t.Errorf("%T: %s, want %s (%v)", m, got, want, err)
		}
		raw, err := hex.DecodeString(want)
		if err != nil {
			t.Fatal(err)
		}
		back, _ := reflect.New(reflect.TypeOf(m).Elem()).Interface().(ros2.Message)
		if err := cdr.Unmarshal(raw, back); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%s read as %+v, want %+v (%v)", want, back, m, err)
		}
	}
}

// strange is a server with given responses to cancel requests: an rclpy server that rejects one returns no error but
// omits the goal from its list.
func strange(t *testing.T, n *ros2.Node, answer func(id action.ID) *action_msgs.CancelGoalResponse) {
	t.Helper()
	_, err := ros2.NewService(n, action.FibGoalService{}, "fib/_action/send_goal",
		func(context.Context, *action.FibSend) (*action.FibAccepted, error) {
			return &action.FibAccepted{Accepted: true}, nil
		})
	_, err2 := ros2.NewService(n, action.FibResultService{}, "fib/_action/get_result",
		func(context.Context, *action.FibAsk) (*action.FibEnd, error) { return &action.FibEnd{}, nil })
	_, err3 := ros2.NewService(n, action_msgs.CancelGoal{}, "fib/_action/cancel_goal",
		func(_ context.Context, r *action_msgs.CancelGoalRequest) (*action_msgs.CancelGoalResponse, error) {
			return answer(r.GoalInfo.GoalID), nil
		})
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyAGoalOfTheListIsCanceled(t *testing.T) {
	list := func(ids ...action.ID) *action_msgs.CancelGoalResponse {
		r := &action_msgs.CancelGoalResponse{}
		for _, id := range ids {
			r.GoalsCanceling = append(r.GoalsCanceling, action_msgs.GoalInfo{GoalID: id})
		}
		return r
	}
	for name, c := range map[string]struct {
		answer   func(id action.ID) *action_msgs.CancelGoalResponse
		one, all error
	}{
		"none":    {func(action.ID) *action_msgs.CancelGoalResponse { return list() }, action.ErrRejected, action.ErrRejected},
		"another": {func(action.ID) *action_msgs.CancelGoalResponse { return list(idOf(7)) }, action.ErrRejected, nil},
		"it, too": {func(id action.ID) *action_msgs.CancelGoalResponse { return list(idOf(7), id) }, nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			tr := ros2test.NewTransport()
			defer tr.Close()
			n, err := ros2.NewNode(ros2.NodeConfig{Name: "both", Transport: tr})
			if err != nil {
				t.Fatal(err)
			}
			defer n.Close()
			strange(t, n, c.answer)
			client, err := action.NewClient(n, example_interfaces.Fibonacci{}, "fib")
			if err != nil {
				t.Fatal(err)
			}
			sent, err := client.Send(t.Context(), &goal{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := sent.Cancel(t.Context()); !errors.Is(err, c.one) {
				t.Errorf("%s: one goal: %v, want %v", name, err, c.one)
			}
			if err := client.CancelAll(t.Context()); !errors.Is(err, c.all) {
				t.Errorf("%s: all: %v, want %v", name, err, c.all)
			}
		})
	}
}
