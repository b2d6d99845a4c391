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
	if len(r.round) == 0 && len(e.ready) == 1 && e.ready[0].runnable() { // a round of one
		p := e.ready[0]
		return p, p.pop()
	}
	for range 2 {
		for i, p := range r.round {
			if p.runnable() {
				r.round = slices.Delete(r.round, i, i+1)
				p.inRound = false
				return p, p.pop()
			}
		}
		if !slices.ContainsFunc(e.ready, (*source).runnable) {
			return nil, nil // a round begins when something can run
		}
		r.refill(e)
	}
	return nil, nil
}

// refill starts another round after the rest of this one, whose groups are busy.
func (r *rounds) refill(e *Executor) {
	r.round = slices.DeleteFunc(r.round, func(p *source) bool {
		p.inRound = p.queue.Len() > 0
		return !p.inRound
	})
	left := len(r.round)
	for _, p := range e.ready {
		if !p.inRound {
			p.inRound = true
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
		if p.runnable() && (first == nil || p.queue.First().number < first.queue.First().number) {
			first = p
		}
	}
	if first == nil {
		return nil, nil
	}
	return first, first.pop()
}
