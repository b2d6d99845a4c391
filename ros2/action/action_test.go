// SPDX-License-Identifier: Apache-2.0

package action_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

type (
	goal     = example_interfaces.FibonacciGoal
	result   = example_interfaces.FibonacciResult
	feedback = example_interfaces.FibonacciFeedback
	handled  = action.Goal[goal, feedback]
	server   = action.Server[goal, result, feedback]
	client   = action.Client[goal, result, feedback]
	config   = action.Config[goal, result, feedback]
)

// fibonacci computes a number each 100 ms and publishes it as feedback; order 0 is aborted.
func fibonacci(ctx context.Context, g *handled) (*result, error) {
	if g.Goal.Order == 0 {
		return nil, errors.New("nothing to compute")
	}
	r := &result{Sequence: []int32{0, 1}}
	for len(r.Sequence) <= int(g.Goal.Order) {
		if err := g.Feedback(&feedback{Sequence: r.Sequence}); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return r, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
		n := len(r.Sequence)
		r.Sequence = append(r.Sequence, r.Sequence[n-1]+r.Sequence[n-2])
	}
	return r, nil
}

// rig is a server and a client of two nodes in simulated time.
type rig struct {
	t      *testing.T
	tr     *ros2test.Transport
	server *server
	client *client
}

func bubble(t *testing.T, cfg config, check func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		tr.Record()
		r := &rig{t: t, tr: tr}
		nodes := make([]*ros2.Node, 2)
		for i, name := range []string{"server", "client"} {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr})
			if err != nil {
				t.Fatal(err)
			}
			defer n.Close()
			nodes[i] = n
		}
		if cfg.Execute == nil {
			cfg.Execute = fibonacci
		}
		var err error
		if r.server, err = action.NewServer(nodes[0], example_interfaces.Fibonacci{}, "fib", cfg); err != nil {
			t.Fatal(err)
		}
		defer r.server.Close()
		if r.client, err = action.NewClient(nodes[1], example_interfaces.Fibonacci{}, "fib"); err != nil {
			t.Fatal(err)
		}
		defer r.client.Close()
		check(t, r)
	})
}

// states returns the published states of the n-th goal of the list, without repetitions.
func (r *rig) states(n int) string {
	synctest.Wait()
	var out []string
	for _, m := range ros2test.Messages[action_msgs.GoalStatusArray](r.t, r.tr, "/fib/_action/status") {
		if n >= len(m.StatusList) {
			continue
		}
		name := action.Status(m.StatusList[n].Status).String()
		if len(out) == 0 || out[len(out)-1] != name {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func (r *rig) send(order int32) *action.Sent[goal, result, feedback] {
	r.t.Helper()
	s, err := r.client.Send(r.t.Context(), &goal{Order: order}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func TestGoalSucceeds(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		var mu sync.Mutex
		var received []string
		s, err := r.client.Send(t.Context(), &goal{Order: 5}, func(f *feedback) {
			mu.Lock()
			defer mu.Unlock()
			received = append(received, fmt.Sprint(f.Sequence))
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Since(s.Accepted()); got < 0 || got > time.Second {
			t.Errorf("accepted %v ago", got)
		}
		got, err := s.Result(t.Context())
		if err != nil || fmt.Sprint(got.Sequence) != "[0 1 1 2 3 5]" || s.Status() != action.Succeeded {
			t.Error(got, err, s.Status())
		}
		mu.Lock()
		if want := "[0 1] [0 1 1] [0 1 1 2] [0 1 1 2 3]"; strings.Join(received, " ") != want {
			t.Error(received)
		}
		mu.Unlock()
		if got := r.states(0); got != "ACCEPTED EXECUTING SUCCEEDED" {
			t.Error(got)
		}
		if again, err := s.Result(t.Context()); err != nil || len(again.Sequence) != 6 {
			t.Error("asked again:", again, err)
		}
		if err := s.Cancel(t.Context()); !errors.Is(err, action.ErrEnded) {
			t.Error(err)
		}
		s.Close()
		if s.Status() != action.Unknown {
			t.Error(s.Status())
		}
	})
}

func TestGoalIsCanceled(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		s := r.send(1000)
		time.Sleep(250 * time.Millisecond)
		if err := s.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := s.Result(t.Context())
		if !errors.Is(err, action.ErrCanceled) || len(got.Sequence) != 4 {
			t.Error(got, err)
		}
		if got := r.states(0); got != "ACCEPTED EXECUTING CANCELING CANCELED" {
			t.Error(got)
		}
	})
}

func TestGoalIsAborted(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		got, err := r.send(0).Result(t.Context())
		if !errors.Is(err, action.ErrAborted) || got == nil || len(got.Sequence) != 0 {
			t.Error(got, err)
		}
		if got := r.states(0); got != "ACCEPTED EXECUTING ABORTED" {
			t.Error(got)
		}
	})
}

func TestGoalIsRejected(t *testing.T) {
	cfg := config{Accept: func(g *goal) error {
		if g.Order < 0 {
			return errors.New("order below 0")
		}
		return nil
	}}
	bubble(t, cfg, func(t *testing.T, r *rig) {
		if _, err := r.client.Send(t.Context(), &goal{Order: -1}, nil); !errors.Is(err, action.ErrRejected) {
			t.Error(err)
		}
		if got := r.states(0); got != "" {
			t.Error(got)
		}
	})
}

// A goal whose cancel request the server rejects continues.
func TestServerMayRejectCancelRequest(t *testing.T) {
	bubble(t, config{Cancel: func(*handled) error { return errors.New("no way back") }}, func(t *testing.T, r *rig) {
		s := r.send(3)
		if err := s.Cancel(t.Context()); !errors.Is(err, action.ErrRejected) {
			t.Error(err)
		}
		if got, err := s.Result(t.Context()); err != nil || len(got.Sequence) != 4 {
			t.Error(got, err)
		}
	})
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		overlap    action.Overlap
		first, end string
	}{
		{action.Together, "ACCEPTED EXECUTING SUCCEEDED", "ACCEPTED EXECUTING SUCCEEDED"},
		{action.Queue, "ACCEPTED EXECUTING SUCCEEDED", "ACCEPTED EXECUTING SUCCEEDED"},
		{action.Replace, "ACCEPTED EXECUTING ABORTED", "ACCEPTED EXECUTING SUCCEEDED"},
	} {
		bubble(t, config{Overlap: c.overlap}, func(t *testing.T, r *rig) {
			start := time.Now()
			first := r.send(5)
			time.Sleep(50 * time.Millisecond)
			second := r.send(5)
			_, err1 := first.Result(t.Context())
			_, err2 := second.Result(t.Context())
			took := time.Since(start)
			if want := map[action.Overlap]time.Duration{
				action.Together: 450 * time.Millisecond, action.Queue: 800 * time.Millisecond, action.Replace: 450 * time.Millisecond,
			}[c.overlap]; took != want {
				t.Errorf("overlap %d: took %v, want %v (%v, %v)", c.overlap, took, want, err1, err2)
			}
			if got := r.states(0); got != c.first {
				t.Errorf("overlap %d: first %s", c.overlap, got)
			}
			if got := r.states(1); got != c.end {
				t.Errorf("overlap %d: second %s", c.overlap, got)
			}
		})
	}
}

func TestSecondGoalIsRejected(t *testing.T) {
	bubble(t, config{Overlap: action.Refuse}, func(t *testing.T, r *rig) {
		first := r.send(3)
		if _, err := r.client.Send(t.Context(), &goal{Order: 3}, nil); !errors.Is(err, action.ErrRejected) {
			t.Error(err)
		}
		if _, err := first.Result(t.Context()); err != nil {
			t.Error(err)
		}
		r.send(3)
	})
}

// A queued goal that is canceled ends without having been executed.
func TestQueuedGoalIsCanceled(t *testing.T) {
	bubble(t, config{Overlap: action.Queue}, func(t *testing.T, r *rig) {
		start := time.Now()
		first, second := r.send(10), r.send(10)
		if err := second.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := second.Result(t.Context()); !errors.Is(err, action.ErrCanceled) || time.Since(start) != 0 {
			t.Error(err, time.Since(start))
		}
		if got := r.states(1); got != "ACCEPTED CANCELING CANCELED" {
			t.Error(got)
		}
		if _, err := first.Result(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCancelAllAndUntil(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		early := r.send(100)
		time.Sleep(time.Second)
		late := r.send(100)
		if err := r.client.CancelUntil(t.Context(), early.Accepted().Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := early.Result(t.Context()); !errors.Is(err, action.ErrCanceled) {
			t.Error(err)
		}
		synctest.Wait()
		if late.Status() != action.Executing {
			t.Error(late.Status())
		}
		if err := r.client.CancelAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := late.Result(t.Context()); !errors.Is(err, action.ErrCanceled) {
			t.Error(err)
		}
		if err := r.client.CancelAll(t.Context()); !errors.Is(err, action.ErrRejected) {
			t.Error("nothing left:", err)
		}
	})
}

// Results are kept for the configured time, or until an ended goal must be removed for a new one.
func TestResultsAreForgotten(t *testing.T) {
	bubble(t, config{KeepResult: time.Minute, MaxGoals: 2}, func(t *testing.T, r *rig) {
		old, kept := r.send(1), r.send(1)
		synctest.Wait()
		last := r.send(1)
		if _, err := old.Result(t.Context()); !errors.Is(err, action.ErrUnknownGoal) {
			t.Error(err)
		}
		time.Sleep(time.Minute - time.Nanosecond)
		for _, s := range []*action.Sent[goal, result, feedback]{kept, last} {
			if _, err := s.Result(t.Context()); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(2 * time.Nanosecond)
		synctest.Wait()
		for _, s := range []*action.Sent[goal, result, feedback]{kept, last} {
			if _, err := s.Result(t.Context()); !errors.Is(err, action.ErrUnknownGoal) {
				t.Error(err)
			}
			if err := s.Cancel(t.Context()); !errors.Is(err, action.ErrUnknownGoal) {
				t.Error(err)
			}
		}
	})
}

func TestTooManyGoals(t *testing.T) {
	bubble(t, config{MaxGoals: 2}, func(t *testing.T, r *rig) {
		r.send(100)
		r.send(100)
		if _, err := r.client.Send(t.Context(), &goal{Order: 1}, nil); !errors.Is(err, action.ErrRejected) {
			t.Error(err)
		}
	})
}

// Close ends all goals; pending requests for results fail.
func TestServerCloses(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		s := r.send(1000)
		ended := make(chan error, 1)
		go func() {
			_, err := s.Result(t.Context())
			ended <- err
		}()
		time.Sleep(time.Second)
		if err := r.server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, action.ErrAborted) {
			t.Error(err)
		}
		if err := r.server.Close(); err != nil {
			t.Error("again:", err)
		}
	})
}

func TestNoServer(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		if err := r.server.Close(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := r.client.Send(ctx, &goal{Order: 1}, nil); !errors.Is(err, ros2.ErrNoServer) || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestConfigErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if _, err := action.NewServer(n, example_interfaces.Fibonacci{}, "fib", config{}); !errors.Is(err, ros2.ErrConfig) {
		t.Error(err)
	}
	if _, err := action.NewServer(n, example_interfaces.Fibonacci{}, "0", config{Execute: fibonacci}); !errors.Is(err, ros2.ErrInvalidName) {
		t.Error(err)
	}
	if _, err := action.NewClient(n, example_interfaces.Fibonacci{}, "a b"); !errors.Is(err, ros2.ErrInvalidName) {
		t.Error(err)
	}
}

func TestStatusNames(t *testing.T) {
	if got := fmt.Sprint(action.Unknown, action.Aborted, action.Status(7), action.Status(-1)); got != "UNKNOWN ABORTED Status(7) Status(-1)" {
		t.Error(got)
	}
	if action.Canceling.Ended() || !action.Succeeded.Ended() || action.Status(9).Ended() {
		t.Error("Ended")
	}
}
