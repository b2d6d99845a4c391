// SPDX-License-Identifier: Apache-2.0

package action_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/action_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// legal are the transitions of rcl_action's state machine, including the initial ones.
var legal = []string{
	"ACCEPTED", "ACCEPTED EXECUTING", "ACCEPTED CANCELING", "EXECUTING CANCELING", "EXECUTING SUCCEEDED", "EXECUTING ABORTED",
	"ACCEPTED ABORTED", "CANCELING SUCCEEDED", "CANCELING CANCELED", "CANCELING ABORTED",
}

// Whatever clients do and whatever the overlap policy: only legal transitions occur, every goal ends with the state of
// its result, and at most one goal is executing if the policy requires it.
func TestOnlyLegalTransitionsOccur(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		overlap := rapid.SampledFrom([]action.Overlap{action.Together, action.Replace, action.Refuse, action.Queue}).Draw(r, "overlap")
		type step struct {
			what string
			n    int
			wait time.Duration
		}
		steps := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) step {
			return step{
				rapid.SampledFrom([]string{"send", "send", "send", "cancel", "cancel all"}).Draw(r, "what"),
				rapid.IntRange(0, 12).Draw(r, "n"),
				time.Duration(rapid.IntRange(0, 400).Draw(r, "ms")) * time.Millisecond,
			}
		}), 1, 12).Draw(r, "steps")
		synctest.Test(t, func(t *testing.T) {
			m := newMachine(t, overlap)
			defer m.close()
			for _, s := range steps {
				switch s.what {
				case "send":
					m.send(int32(s.n))
				case "cancel":
					if len(m.sent) > 0 {
						m.note(m.sent[s.n%len(m.sent)].Cancel(t.Context()))
					}
				default:
					m.note(m.client.CancelAll(t.Context()))
				}
				time.Sleep(s.wait)
			}
			m.check()
		})
	})
}

// machine is a server, its client, and what was seen of both.
type machine struct {
	*testing.T
	tr      *ros2test.Transport
	node    *ros2.Node
	server  *server
	client  *client
	sent    []*action.Sent[goal, result, feedback]
	mu      sync.Mutex
	running int
	most    int // goals that ran at the same time
	overlap action.Overlap
}

func newMachine(t *testing.T, overlap action.Overlap) *machine {
	m := &machine{T: t, tr: ros2test.NewTransport(), overlap: overlap}
	m.tr.Record()
	var err error
	if m.node, err = ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: m.tr}); err != nil {
		t.Fatal(err)
	}
	if m.server, err = action.NewServer(m.node, example_interfaces.Fibonacci{}, "fib", config{Overlap: overlap, Execute: m.execute}); err != nil {
		t.Fatal(err)
	}
	if m.client, err = action.NewClient(m.node, example_interfaces.Fibonacci{}, "fib"); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) execute(ctx context.Context, g *handled) (*result, error) {
	m.mu.Lock()
	m.running++
	m.most = max(m.most, m.running)
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.running--
		m.mu.Unlock()
	}()
	return fibonacci(ctx, g)
}

func (m *machine) send(order int32) {
	s, err := m.client.Send(m.Context(), &goal{Order: order}, nil)
	switch {
	case err == nil:
		m.sent = append(m.sent, s)
	case m.overlap != action.Refuse || !errors.Is(err, action.ErrRejected):
		m.Error(err)
	}
}

// note accepts the errors that canceling may return.
func (m *machine) note(err error) {
	if err != nil && !errors.Is(err, action.ErrRejected) && !errors.Is(err, action.ErrEnded) {
		m.Error(err)
	}
}

func (m *machine) check() {
	ends := make([]string, len(m.sent))
	for i, s := range m.sent {
		_, err := s.Result(m.Context())
		switch {
		case err == nil:
			ends[i] = "SUCCEEDED"
		case errors.Is(err, action.ErrCanceled):
			ends[i] = "CANCELED"
		case errors.Is(err, action.ErrAborted):
			ends[i] = "ABORTED"
		default:
			m.Error(err)
		}
	}
	synctest.Wait()
	for i, s := range m.sent {
		states := m.states(s.ID())
		if len(states) == 0 || !slices.Contains(legal, states[0]) || states[len(states)-1] != ends[i] {
			m.Errorf("goal %d ends %s: %q", i, ends[i], states)
		}
		for k := 1; k < len(states); k++ {
			if way := states[k-1] + " " + states[k]; !slices.Contains(legal, way) {
				m.Errorf("goal %d went %s", i, way)
			}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.overlap != action.Together && m.most > 1 {
		m.Errorf("overlap %d: %d goals ran at the same time", m.overlap, m.most)
	}
}

// states returns the published states of a goal, without repetitions.
func (m *machine) states(id action.ID) []string {
	var out []string
	for _, list := range ros2test.Messages[action_msgs.GoalStatusArray](m, m.tr, "/fib/_action/status") {
		for _, s := range list.StatusList {
			name := action.Status(s.Status).String()
			if s.GoalInfo.GoalID == id && (len(out) == 0 || out[len(out)-1] != name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func (m *machine) close() {
	if err := errors.Join(m.client.Close(), m.server.Close(), m.node.Close(), m.tr.Close()); err != nil {
		m.Error(err)
	}
}

// Many concurrent clients, each with its own goals, receive only their own feedback.
func TestManyClients(t *testing.T) {
	bubble(t, config{}, func(t *testing.T, r *rig) {
		var wg sync.WaitGroup
		for order := int32(1); order <= 20; order++ {
			wg.Go(func() {
				var mu sync.Mutex
				longest := 0
				s, err := r.client.Send(t.Context(), &goal{Order: order}, func(f *feedback) {
					mu.Lock()
					defer mu.Unlock()
					longest = max(longest, len(f.Sequence))
				})
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				got, err := s.Result(t.Context())
				if err != nil || len(got.Sequence) != int(order)+1 {
					t.Error(order, got, err)
				}
				mu.Lock()
				defer mu.Unlock()
				if want := int(order); order > 1 && longest != want {
					t.Errorf("order %d: received %d numbers", order, longest)
				}
			})
		}
		wg.Wait()
	})
}

// Failures of the transport are returned, and no endpoint remains.
func TestTransportFails(t *testing.T) {
	tr := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := action.NewServer(n, example_interfaces.Fibonacci{}, "fib", config{Execute: fibonacci}); !errors.Is(err, ros2.ErrClosed) {
		t.Error("server:", err)
	}
	if _, err := action.NewClient(n, example_interfaces.Fibonacci{}, "fib"); !errors.Is(err, ros2.ErrClosed) {
		t.Error("client:", err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	topics := topicsOnly{ros2test.NewTransport()}
	defer topics.Close()
	if n, err = ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: topics}); err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if _, err := action.NewServer(n, example_interfaces.Fibonacci{}, "fib", config{Execute: fibonacci}); err == nil || !strings.Contains(err.Error(), "services") {
		t.Error("server without services:", err)
	}
	if _, err := action.NewClient(n, example_interfaces.Fibonacci{}, "fib"); err == nil || !strings.Contains(err.Error(), "services") {
		t.Error("client without services:", err)
	}
	if got := fmt.Sprint(n.Graph().Topics()); strings.Contains(got, "_action") {
		t.Error("left behind:", got)
	}
}

// topicsOnly is a transport without services.
type topicsOnly struct{ ros2.Transport }
