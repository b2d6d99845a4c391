// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"cmp"
	"slices"
)

// rounds is the order of rclcpp's executors, without starvation.
type rounds struct {
	round []*source // those that have not run in this round yet
}

func (r *rounds) next(e *Executor) (*source, func()) {
	for range 2 {
		for i, p := range r.round {
			if p.runnable() {
				r.round = slices.Delete(r.round, i, i+1)
				return p, p.pop()
			}
		}
		r.refill(e)
	}
	return nil, nil
}

// refill starts another round after the rest of this one, whose groups are busy.
func (r *rounds) refill(e *Executor) {
	r.round = slices.DeleteFunc(r.round, func(p *source) bool { return len(p.queue) == 0 })
	left := len(r.round)
	for _, p := range e.ready {
		if !slices.Contains(r.round[:left], p) {
			r.round = append(r.round, p)
		}
	}
	slices.SortFunc(r.round[left:], func(a, b *source) int {
		return cmp.Or(cmp.Compare(a.source.Kind, b.source.Kind), cmp.Compare(a.number, b.number))
	})
}

// events is the order in which callbacks became due.
type events struct{}

func (events) next(e *Executor) (*source, func()) {
	var first *source
	for _, p := range e.ready {
		if p.runnable() && (first == nil || p.queue[0].number < first.queue[0].number) {
			first = p
		}
	}
	if first == nil {
		return nil, nil
	}
	return first, first.pop()
}
