// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/lifecycle_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// script answers callbacks: nil, a refusal or an error, by the callback's name.
type script map[string]error

func (s script) callbacks() ros2.LifecycleCallbacks {
	answer := func(name string) func(context.Context) error {
		return func(context.Context) error { return s[name] }
	}
	return ros2.LifecycleCallbacks{
		Configure: answer("configure"), Activate: answer("activate"), Deactivate: answer("deactivate"),
		Cleanup: answer("cleanup"), Shutdown: answer("shutdown"),
		Error: func(context.Context, error) error { return s["error"] },
	}
}

func newLifecycle(t testing.TB, n *ros2.Node, c ros2.LifecycleCallbacks) *ros2.Lifecycle {
	t.Helper()
	l, err := ros2.NewLifecycle(n, c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLifecycleTransitions(t *testing.T) {
	refusal := errors.New("not now")
	broken := fmt.Errorf("motor gone: %w", ros2.ErrLifecycle)
	for _, c := range []struct {
		name   string
		script script
		path   string // transitions, "!" before those that must fail
		want   ros2.LifecycleState
	}{
		{"a whole life", nil, "configure activate deactivate activate deactivate cleanup configure shutdown", ros2.Finalized},
		{"shutdown at once", nil, "shutdown", ros2.Finalized},
		{"shutdown while active", nil, "configure activate shutdown", ros2.Finalized},
		{"not from here", nil, "!activate !cleanup !deactivate !dance !transition_success", ros2.Unconfigured},
		{"nothing after the end", nil, "shutdown !configure !shutdown", ros2.Finalized},
		{"configure refused", script{"configure": refusal}, "!configure", ros2.Unconfigured},
		{"activate refused", script{"activate": refusal}, "configure !activate", ros2.Inactive},
		{"deactivate refused", script{"deactivate": refusal}, "configure activate !deactivate", ros2.Active},
		{"cleanup refused", script{"cleanup": refusal}, "configure !cleanup", ros2.Inactive},
		{"shutdown refused", script{"shutdown": refusal}, "!shutdown", ros2.Finalized},
		{"error handled", script{"activate": broken}, "configure !activate", ros2.Unconfigured},
		{"error not handled", script{"activate": broken, "error": refusal}, "configure !activate", ros2.Finalized},
	} {
		tr := ros2test.NewTransport()
		l := newLifecycle(t, newNode(t, tr, "n"), c.script.callbacks())
		for _, label := range strings.Fields(c.path) {
			label, fails := strings.CutPrefix(label, "!")
			if err := l.Change(t.Context(), label); (err != nil) != fails {
				t.Errorf("%s: %s: %v", c.name, label, err)
			}
		}
		if l.State() != c.want || l.Active() != (c.want == ros2.Active) {
			t.Errorf("%s ends %v, want %v", c.name, l.State(), c.want)
		}
	}
}

func TestLifecycleErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	refusal := errors.New("not now")
	l := newLifecycle(t, n, script{"configure": refusal}.callbacks())
	if err := l.Change(t.Context(), "configure"); !errors.Is(err, refusal) {
		t.Errorf("the callback's error is lost: %v", err)
	}
	if err := l.Change(t.Context(), "activate"); !errors.Is(err, ros2.ErrTransition) || !strings.Contains(err.Error(), "unconfigured") {
		t.Errorf("no such transition: %v", err)
	}
	n.Close()
	if _, err := ros2.NewLifecycle(n, ros2.LifecycleCallbacks{}); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("on a closed node: %v", err)
	}
}

func TestLifecycleServices(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n", "--ros-args", "-r", "__ns:=/r")
		a := asker{t, newNode(t, tr, "asker")}
		l := newLifecycle(t, n, ros2.LifecycleCallbacks{})
		var events []string
		if _, err := ros2.NewSubscription(a.node, "/r/n/transition_event", ros2.DefaultQoS(), func(m *lifecycle_msgs.TransitionEvent, _ ros2.MessageInfo) {
			events = append(events, fmt.Sprint(m.Transition.Label, " ", m.Transition.ID, " ", m.StartState.Label, " ", m.GoalState.Label))
		}); err != nil {
			t.Fatal(err)
		}
		change := func(id uint8, label string) bool {
			return ask(a, lifecycle_msgs.ChangeState{}, "change_state", &lifecycle_msgs.ChangeStateRequest{
				Transition: lifecycle_msgs.Transition{ID: id, Label: label},
			}).Success
		}
		if !change(lifecycle_msgs.TransitionConfigure, "") || change(lifecycle_msgs.TransitionConfigure, "") || !change(0, "activate") {
			t.Error("configure by number, again, activate by label")
		}
		state := ask(a, lifecycle_msgs.GetState{}, "get_state", new(lifecycle_msgs.GetStateRequest)).CurrentState
		if state.ID != 3 || state.Label != "active" || !l.Active() {
			t.Errorf("state %+v", state)
		}
		states := ask(a, lifecycle_msgs.GetAvailableStates{}, "get_available_states", new(lifecycle_msgs.GetAvailableStatesRequest)).AvailableStates
		if len(states) != 11 || states[0].Label != "unknown" || states[10].Label != "errorprocessing" {
			t.Errorf("states %+v", states)
		}
		var now []string
		for _, d := range ask(a, lifecycle_msgs.GetAvailableTransitions{}, "get_available_transitions", new(lifecycle_msgs.GetAvailableTransitionsRequest)).AvailableTransitions {
			now = append(now, fmt.Sprint(d.Transition.Label, " ", d.Transition.ID, " ", d.StartState.Label, " ", d.GoalState.Label))
		}
		if want := []string{"deactivate 4 active deactivating", "shutdown 7 active shuttingdown"}; !slices.Equal(now, want) {
			t.Errorf("transitions %q, want %q", now, want)
		}
		graph := ask(a, lifecycle_msgs.GetAvailableTransitions{}, "get_transition_graph", new(lifecycle_msgs.GetAvailableTransitionsRequest)).AvailableTransitions
		if len(graph) != 25 {
			t.Errorf("%d transitions in the graph", len(graph))
		}
		synctest.Wait()
		want := []string{
			"configure 1 unconfigured configuring", "transition_success 10 configuring inactive",
			"activate 3 inactive activating", "transition_success 30 activating active",
		}
		if !slices.Equal(events, want) {
			t.Errorf("events %q, want %q", events, want)
		}
	})
}

// Whatever transitions are requested and whatever the callbacks return, the node ends in a primary state, and no
// transition leaves "finalized".
func TestLifecycleProperty(t *testing.T) {
	answers := []error{nil, errors.New("no"), ros2.ErrLifecycle}
	rapid.Check(t, func(rt *rapid.T) {
		s := script{}
		tr := ros2test.NewTransport()
		defer tr.Close()
		l := newLifecycle(t, newNode(t, tr, "n"), s.callbacks())
		for range rapid.IntRange(0, 12).Draw(rt, "steps") {
			for _, name := range []string{"configure", "activate", "deactivate", "cleanup", "shutdown", "error"} {
				s[name] = rapid.SampledFrom(answers).Draw(rt, name)
			}
			before := l.State()
			label := rapid.SampledFrom([]string{"configure", "activate", "deactivate", "cleanup", "shutdown"}).Draw(rt, "label")
			err := l.Change(t.Context(), label)
			if after := l.State(); after < ros2.Unconfigured || after > ros2.Finalized || before == ros2.Finalized && after != before {
				rt.Fatalf("%s from %v leads to %v, %v", label, before, after, err)
			}
		}
	})
}
