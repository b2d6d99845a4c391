// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"time"
)

// CallbackGroup decides when callbacks run, in which order and how many at a time. Package ros2/executor has groups as
// in rclcpp and rclc. Without a group callbacks run as events arrive, on goroutines of the transport and of the
// services. It is safe for concurrent use.
type CallbackGroup interface {
	// Join adds a source of callbacks and returns its queue. The order of the calls is the order of the queues.
	Join(s CallbackSource) (CallbackQueue, error)
	// Wait announces that the calling goroutine will wait for another callback, possibly of the same group. It returns
	// nil if the goroutine does not run a callback of the group's executor.
	Wait() CallbackWait
}

// CallbackSource describes a source of callbacks.
type CallbackSource struct {
	// Node is its node.
	Node NodeName
	// Kind is its kind.
	Kind CallbackKind
	// Name is the full name of the topic or service, or the program's name for a timer.
	Name string
	// Limit bounds the callbacks that may wait, 0 for no limit; beyond it the oldest is dropped.
	Limit int
}

// CallbackKind is the kind of a [CallbackSource].
type CallbackKind uint8

// The kinds of sources.
const (
	TimerCallback CallbackKind = iota
	SubscriptionCallback
	ServiceCallback
	ReplyCallback // of a client
)

// String returns the kind's name.
func (k CallbackKind) String() string {
	if int(k) < len(callbackKinds) {
		return callbackKinds[k]
	}
	return "unknown"
}

var callbackKinds = [...]string{"timer", "subscription", "service", "reply"}

// CallbackQueue is the queue of one source's callbacks. They run one at a time, in order, unless the group allows them
// to overlap.
type CallbackQueue interface {
	// Post adds a callback that is due. It does not block.
	Post(call func())
	// Lost returns how many callbacks were dropped because too many waited.
	Lost() int64
	// Close drops waiting callbacks and waits up to timeout until none is running. It reports whether none is, or the
	// caller is the running callback.
	Close(timeout time.Duration) (ended bool)
}

// CallbackWait is a callback that waits: from Begin to End its executor runs other callbacks.
type CallbackWait interface {
	// Begin allows other callbacks to run.
	Begin()
	// Due announces that the awaited event has occurred, before the waiting goroutine notices it. It may be called
	// before Begin.
	Due()
	// End waits until the callback may continue.
	End()
}

// TimingGroup is a [CallbackGroup] with its own time: its timers and sleeps are part of its order.
type TimingGroup interface {
	CallbackGroup
	// Every calls call periodically with the scheduled time, until the queue is closed.
	Every(s CallbackSource, period time.Duration, call func(at time.Time)) (CallbackQueue, error)
	// Sleep makes a callback of the group wait for d.
	Sleep(ctx context.Context, d time.Duration) error
}

// InGroup runs the callbacks of a subscription in a group instead of the node's; nil for none.
func InGroup(g CallbackGroup) SubscriptionOption {
	return func(o *subscriptionOptions) { o.group, o.groupSet = g, true }
}

// ServiceOption adjusts a service or a client, see [ServiceInGroup].
type ServiceOption func(*serviceOptions)

type serviceOptions struct{ group CallbackGroup }

// ServiceInGroup runs the handler of a service, or the functions passed to [Client.Then], in a group instead of the
// node's; nil for none.
func ServiceInGroup(g CallbackGroup) ServiceOption {
	return func(o *serviceOptions) { o.group = g }
}

// serviceGroup returns the group selected by the options.
func (n *Node) serviceGroup(opts []ServiceOption) CallbackGroup {
	o := serviceOptions{group: n.group}
	for _, opt := range opts {
		opt(&o)
	}
	return o.group
}

// joinGroup joins a group; without one it returns nil.
func (n *Node) joinGroup(g CallbackGroup, kind CallbackKind, name string, limit int) (CallbackQueue, error) {
	if g == nil {
		return nil, nil //nolint:nilnil // having no group is not an error
	}
	return g.Join(CallbackSource{Node: n.name, Kind: kind, Name: name, Limit: limit})
}

// pause returns the CallbackWait of the calling goroutine; it is not nil.
func pause(g CallbackGroup) CallbackWait {
	if g != nil {
		if w := g.Wait(); w != nil {
			return w
		}
	}
	return noWait{}
}

// noWait is the CallbackWait of a goroutine that runs no callback of an executor.
type noWait struct{}

func (noWait) Begin() {}
func (noWait) Due()   {}
func (noWait) End()   {}

// Sleep waits until d has passed on the node's clock or ctx ends. In a callback of an executor other callbacks run
// meanwhile.
func (n *Node) Sleep(ctx context.Context, d time.Duration) error {
	if g, ok := n.group.(TimingGroup); ok {
		return g.Sleep(ctx, d)
	}
	timer := n.clock.NewTimer(d)
	defer timer.Stop()
	w := pause(n.group)
	w.Begin()
	defer w.End()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
