// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"slices"
	"strings"
	"sync"
)

// parameterNews holds changes that the observers have yet to hear of, in their order.
// The zero value holds none.
type parameterNews struct {
	mu      sync.Mutex
	waiting []ParameterEvent
	telling bool           // a goroutine is with the observers
	told    ParameterEvent // what they are told, while telling
}

// maxParameterNews is how many changes wait for an observer that does not return;
// then they become one, which is as long as there are parameters at most.
const maxParameterNews = 64

// add leaves a change for tell. The caller holds the lock that orders the changes.
func (n *parameterNews) add(e ParameterEvent) {
	if len(e.New)+len(e.Changed)+len(e.Deleted) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.waiting) - 1; last+1 >= maxParameterNews {
		n.waiting[last] = n.waiting[last].then(e)
		return
	}
	n.waiting = append(n.waiting, e)
}

// next returns the oldest change, unless another goroutine is with the observers.
func (n *parameterNews) next() (e ParameterEvent, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.telling || len(n.waiting) == 0 {
		return e, false
	}
	n.telling = true
	e = n.waiting[0]
	n.waiting = slices.Delete(n.waiting, 0, 1)
	n.told = e
	return e, true
}

// end ends what next began.
func (n *parameterNews) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.telling, n.told = false, ParameterEvent{}
}

// observed names the parameters whose change an observer is at work with, and tells
// whether one is.
func (n *parameterNews) observed() (names string, at bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []string
	for _, p := range slices.Concat(n.told.New, n.told.Changed, n.told.Deleted) {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", "), n.telling
}

// notify calls the observers with the changes that wait, unless another goroutine is at
// it, which then goes on with these. The caller holds no lock.
func (p *Parameters) notify() {
	for {
		e, ok := p.news.next()
		if !ok {
			return
		}
		p.observe(e)
	}
}

// observe calls the observers with one change.
func (p *Parameters) observe(e ParameterEvent) {
	defer p.news.end() // also if one panics
	for f := range p.observers.All {
		f(e)
	}
}

// then returns the event that has the effect of e and a later one.
func (e ParameterEvent) then(later ParameterEvent) ParameterEvent {
	out := ParameterEvent{slices.Clone(e.New), slices.Clone(e.Changed), slices.Clone(e.Deleted)}
	for _, p := range later.Deleted {
		isNew := remove(&out.New, p.Name)
		if remove(&out.Changed, p.Name); !isNew {
			out.Deleted = append(out.Deleted, p)
		}
	}
	for _, p := range later.New {
		if remove(&out.Deleted, p.Name) { // to who heard of neither it is another value
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

// remove takes the parameter with a name out of a list and reports whether it was there.
func remove(list *[]Parameter, name string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(p Parameter) bool { return p.Name == name })
	return len(*list) < before
}
