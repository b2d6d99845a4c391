// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"slices"
	"strings"
	"sync"
)

// changeQueue is the queue of changes for the observers. The zero value is empty.
type changeQueue struct {
	mu        sync.Mutex
	waiting   []ParameterEvent
	notifying bool           // a goroutine is calling the observers
	current   ParameterEvent // the event they are being called with, while notifying
}

// maxQueuedChanges bounds the changes queued for an observer that does not return; further ones are merged into one
// event, which has at most one entry per parameter.
const maxQueuedChanges = 64

// add queues a change. The caller holds the lock that orders the changes.
func (n *changeQueue) add(e ParameterEvent) {
	if len(e.New)+len(e.Changed)+len(e.Deleted) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.waiting) - 1; last+1 >= maxQueuedChanges {
		n.waiting[last] = n.waiting[last].then(e)
		return
	}
	n.waiting = append(n.waiting, e)
}

// next returns the oldest change, unless another goroutine is calling the observers.
func (n *changeQueue) next() (e ParameterEvent, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.notifying || len(n.waiting) == 0 {
		return e, false
	}
	n.notifying = true
	e = n.waiting[0]
	n.waiting = slices.Delete(n.waiting, 0, 1)
	n.current = e
	return e, true
}

// end marks the event returned by next as handled.
func (n *changeQueue) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notifying, n.current = false, ParameterEvent{}
}

// observed returns the names of the parameters whose change an observer is handling, and whether there is one.
func (n *changeQueue) observed() (names string, at bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []string
	for _, p := range slices.Concat(n.current.New, n.current.Changed, n.current.Deleted) {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", "), n.notifying
}

// notify calls the observers with the queued changes, unless another goroutine is doing so, which then handles these,
// too. The caller holds no lock.
func (p *Parameters) notify() {
	for {
		e, ok := p.changes.next()
		if !ok {
			return
		}
		p.observe(e)
	}
}

// observe calls the observers with one change.
func (p *Parameters) observe(e ParameterEvent) {
	defer p.changes.end() // also if one panics
	for f := range p.observers.All {
		f(e)
	}
}

// then merges e and a later event into one event with the same effect.
func (e ParameterEvent) then(later ParameterEvent) ParameterEvent {
	out := ParameterEvent{slices.Clone(e.New), slices.Clone(e.Changed), slices.Clone(e.Deleted)}
	for _, p := range later.Deleted {
		isNew := remove(&out.New, p.Name)
		if remove(&out.Changed, p.Name); !isNew {
			out.Deleted = append(out.Deleted, p)
		}
	}
	for _, p := range later.New {
		if remove(&out.Deleted, p.Name) { // for an observer called with neither, the value has changed
			out.Changed = append(out.Changed, p)
		} else {
			out.New = append(out.New, p)
		}
	}
	for _, p := range later.Changed {
		if remove(&out.New, p.Name) {
			out.New = append(out.New, p)
			continue
		}
		remove(&out.Changed, p.Name)
		out.Changed = append(out.Changed, p)
	}
	return out
}

// remove removes a parameter from a list and reports whether it was present.
func remove(list *[]Parameter, name string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(p Parameter) bool { return p.Name == name })
	return len(*list) < before
}
