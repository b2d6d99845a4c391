// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"time"
)

// CallbackGroup runs callbacks by rules of its own: when, in which order and how many at a time. Package ros2/executor
// has groups as people know them from rclcpp and rclc. Without a group callbacks run as they come, on goroutines of the
// transport and of the services. It is safe for concurrent use.
type CallbackGroup interface {
	// Join makes a place for something that has callbacks. The order of the calls is the order of the places.
	Join(s CallbackSource) (CallbackPlace, error)
	// Wait is told that the calling goroutine is going to wait for another callback, which may be of the same group.
	// It returns nil if the goroutine is not at work on a callback of the group's executor.
	Wait() CallbackWait
}

// CallbackSource is something that has callbacks.
type CallbackSource struct {
	// Node owns it.
	Node NodeName
	// Kind is what it is.
	Kind CallbackKind
	// Name is the full name of the topic or the service; a timer's is what the program calls it.
	Name string
	// Limit is how many callbacks may wait, 0 for any number; beyond it the oldest is dropped.
	Limit int
}

// CallbackKind is what a [CallbackSource] is.
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

// CallbackPlace takes the callbacks of one source. Those of one place run one at a time, in their order, unless the
// group is one that lets them overlap.
type CallbackPlace interface {
	// Post hands over a callback that is due. It does not wait.
	Post(call func())
	// Lost is how many were dropped because too many waited.
	Lost() int64
	// Close drops what waits and waits until none is at work, but no longer than patience. It reports whether it has
	// ended; it is true, too, if the callback at work is the caller.
	Close(patience time.Duration) (ended bool)
}

// CallbackWait is a callback that waits: from Begin to End others of its executor run in its place.
type CallbackWait interface {
	// Begin lets others run.
	Begin()
	// Due says that what it waits for is there, before the waiting goroutine sees it. It may come before Begin.
	Due()
	// End waits for the turn of the callback to go on.
	End()
}

// TimingGroup is a [CallbackGroup] with a time of its own: its timers and sleeps are part of its order.
type TimingGroup interface {
	CallbackGroup
	// Every calls call with each time that is a period after the one before, until the place is closed.
	Every(s CallbackSource, period time.Duration, call func(at time.Time)) (CallbackPlace, error)
	// Sleep lets a callback of the group wait.
	Sleep(ctx context.Context, d time.Duration) error
}

// InGroup runs the callbacks of a subscription in a group instead of the node's; nil is none.
func InGroup(g CallbackGroup) SubscriptionOption {
	return func(o *subscriptionOptions) { o.group, o.groupSet = g, true }
}

// ServiceOption adjusts a service or a client, see [ServiceInGroup].
type ServiceOption func(*serviceOptions)

type serviceOptions struct{ group CallbackGroup }

// ServiceInGroup runs the handler of a service, or what [Client.Then] is given, in a group instead of the node's; nil
// is none.
func ServiceInGroup(g CallbackGroup) ServiceOption {
	return func(o *serviceOptions) { o.group = g }
}

// serviceGroup is the group that the options choose.
func (n *Node) serviceGroup(opts []ServiceOption) CallbackGroup {
	o := serviceOptions{group: n.group}
	for _, opt := range opts {
		opt(&o)
	}
	return o.group
}

// place joins a group; without one there is no place.
func (n *Node) place(g CallbackGroup, kind CallbackKind, name string, limit int) (CallbackPlace, error) {
	if g == nil {
		return nil, nil //nolint:nilnil // no group is no error
	}
	return g.Join(CallbackSource{Node: n.name, Kind: kind, Name: name, Limit: limit})
}

// pause tells a group that the caller waits; it is never nil.
func pause(g CallbackGroup) CallbackWait {
	if g != nil {
		if w := g.Wait(); w != nil {
			return w
		}
	}
	return noWait{}
}

// noWait is of a goroutine that is no callback of an executor.
type noWait struct{}

func (noWait) Begin() {}
func (noWait) Due()   {}
func (noWait) End()   {}

// Sleep waits until d has passed on the node's clock or ctx ends. In a callback of an executor it lets others run
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
