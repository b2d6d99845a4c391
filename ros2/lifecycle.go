// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/msgs/lifecycle_msgs"
)

// LifecycleCallbacks are called in a managed node's transitions. One that is nil succeeds. If a callback returns an
// error the node returns to its previous state; an error that wraps [ErrLifecycle] starts error processing.
type LifecycleCallbacks struct {
	Configure, Activate, Deactivate, Cleanup, Shutdown func(context.Context) error
	// Error is called with the error. If it returns nil the node becomes unconfigured, else finalized. It defaults to
	// returning the error.
	Error func(context.Context, error) error
}

// Lifecycle makes a node a managed one: "ros2 lifecycle" and launch files can show and change its state. It is safe for
// concurrent use; transitions run one at a time.
type Lifecycle struct {
	node      *Node
	callbacks LifecycleCallbacks
	events    *Publisher[lifecycle_msgs.TransitionEvent]
	state     atomic.Uint32
	moving    sync.Mutex // held through a transition
}

// NewLifecycle offers the lifecycle services of the node, which is unconfigured
// at first. They close with the node.
func NewLifecycle(n *Node, callbacks LifecycleCallbacks) (*Lifecycle, error) {
	l := &Lifecycle{node: n, callbacks: callbacks}
	l.state.Store(uint32(Unconfigured))
	var err error
	if l.events, err = NewPublisher[lifecycle_msgs.TransitionEvent](n, "~/transition_event", DefaultQoS()); err != nil {
		return nil, err
	}
	if err := l.offer(); err != nil {
		return nil, err
	}
	return l, nil
}

// State returns the current state.
func (l *Lifecycle) State() LifecycleState { return LifecycleState(l.state.Load()) }

// Active reports whether the node is active. It is one atomic load.
func (l *Lifecycle) Active() bool { return l.State() == Active }

// Change makes a transition by its label: "configure", "activate", "deactivate", "cleanup" or "shutdown". It waits for
// the callback. The error wraps [ErrTransition] if the current state has no such transition, else it is the callback's.
// It must not be called from a callback.
func (l *Lifecycle) Change(ctx context.Context, label string) error {
	return l.change(ctx, label, 0)
}

func (l *Lifecycle) change(ctx context.Context, label string, id uint8) error {
	l.moving.Lock()
	defer l.moving.Unlock()
	from := l.State()
	step, ok := from.step(label, id)
	if !ok {
		return fmt.Errorf("%w: %q (%d) from %v", ErrTransition, label, id, from)
	}
	l.move(step)
	err := l.run(ctx, step.goal)
	if err == nil {
		l.end(stepSuccess)
		return nil
	}
	if !errors.Is(err, ErrLifecycle) {
		l.end(stepFailure)
		return fmt.Errorf("%s: %w", step.label, err)
	}
	l.end(stepError)
	l.recover(ctx, err)
	return fmt.Errorf("%s: %w", step.label, err)
}

// run calls the callback of a transition state.
func (l *Lifecycle) run(ctx context.Context, through LifecycleState) error {
	callback := map[LifecycleState]func(context.Context) error{
		Configuring: l.callbacks.Configure, Activating: l.callbacks.Activate, Deactivating: l.callbacks.Deactivate,
		CleaningUp: l.callbacks.Cleanup, ShuttingDown: l.callbacks.Shutdown,
	}[through]
	if callback == nil {
		return nil
	}
	return callback(ctx)
}

// recover runs error processing.
func (l *Lifecycle) recover(ctx context.Context, cause error) {
	if l.callbacks.Error != nil && l.callbacks.Error(ctx, cause) == nil {
		l.end(stepSuccess)
		return
	}
	l.end(stepFailure)
}

// end makes the step that ends a transition.
func (l *Lifecycle) end(label string) {
	if step, ok := l.State().step(label, 0); ok {
		l.move(step)
	}
}

// move makes one step and publishes it.
func (l *Lifecycle) move(step lifecycleStep) {
	l.state.Store(uint32(step.goal))
	event := lifecycle_msgs.TransitionEvent{
		Timestamp: uint64(l.node.Now().UnixNano()), Transition: step.message(),
		StartState: step.start.message(), GoalState: step.goal.message(),
	}
	// A failure to publish does not stop the node.
	_ = l.events.Publish(&event)
}

// offer creates the five services.
func (l *Lifecycle) offer() error {
	_, err1 := NewService(l.node, lifecycle_msgs.ChangeState{}, "~/change_state",
		func(ctx context.Context, r *lifecycle_msgs.ChangeStateRequest) (*lifecycle_msgs.ChangeStateResponse, error) {
			err := l.change(ctx, r.Transition.Label, r.Transition.ID)
			if err != nil {
				l.node.asyncLog.Warn("transition failed", "error", err)
			}
			return &lifecycle_msgs.ChangeStateResponse{Success: err == nil}, nil
		})
	_, err2 := NewService(l.node, lifecycle_msgs.GetState{}, "~/get_state",
		func(context.Context, *lifecycle_msgs.GetStateRequest) (*lifecycle_msgs.GetStateResponse, error) {
			return &lifecycle_msgs.GetStateResponse{CurrentState: l.State().message()}, nil
		})
	_, err3 := NewService(l.node, lifecycle_msgs.GetAvailableStates{}, "~/get_available_states",
		func(context.Context, *lifecycle_msgs.GetAvailableStatesRequest) (*lifecycle_msgs.GetAvailableStatesResponse, error) {
			return &lifecycle_msgs.GetAvailableStatesResponse{AvailableStates: lifecycleStates()}, nil
		})
	_, err4 := NewService(l.node, lifecycle_msgs.GetAvailableTransitions{}, "~/get_available_transitions", l.transitions(false))
	_, err5 := NewService(l.node, lifecycle_msgs.GetAvailableTransitions{}, "~/get_transition_graph", l.transitions(true))
	return errors.Join(err1, err2, err3, err4, err5)
}

// transitions answers with all steps, or those from the current state.
func (l *Lifecycle) transitions(all bool) Handler[lifecycle_msgs.GetAvailableTransitionsRequest, lifecycle_msgs.GetAvailableTransitionsResponse] {
	return func(context.Context, *lifecycle_msgs.GetAvailableTransitionsRequest) (*lifecycle_msgs.GetAvailableTransitionsResponse, error) {
		var out lifecycle_msgs.GetAvailableTransitionsResponse
		for _, step := range lifecycleSteps() {
			if all || step.start == l.State() {
				out.AvailableTransitions = append(out.AvailableTransitions, step.description())
			}
		}
		return &out, nil
	}
}
