// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"log/slog"
	"runtime"
	"time"
)

// The middleware reports changes of the graph before, while or after endpoints match, and some report no matches. So
// matches are checked after every change: soon, then at growing intervals up to idleLook.
const (
	firstLook = 5 * time.Millisecond
	idleLook  = time.Second
)

// run takes messages and events and calls callbacks, until the spinner is stopped. All callbacks run on its goroutine,
// which is locked to its thread: middlewares have thread-local state.
func (t *Transport) run() {
	runtime.LockOSThread()
	defer close(t.spin.ended)
	interval := firstLook
	due := time.Now()
	for {
		r, running, err := t.spin.next(max(0, time.Until(due)))
		if err != nil {
			t.log.Error("transport lost", slog.Any("error", err))
			t.end(err)
			return
		}
		if !running {
			return
		}
		for _, take := range r.take {
			take()
		}
		now := time.Now()
		switch {
		case r.graph || r.recent:
			interval = firstLook
		case now.Before(due):
			continue
		default:
			interval = min(2*interval, idleLook)
		}
		due = now.Add(interval)
		t.checkMatches()
		if r.graph {
			for f := range t.observers.All {
				f()
			}
		}
	}
}

// checkMatches checks the matches of every endpoint.
func (t *Transport) checkMatches() {
	s := t.spin
	s.mu.Lock()
	var looks []func()
	for _, w := range s.writers {
		looks = append(looks, w.checkMatches)
	}
	for _, r := range s.readers {
		looks = append(looks, r.checkMatches)
	}
	for _, c := range s.requesters {
		looks = append(looks, c.checkMatches)
	}
	s.mu.Unlock()
	for _, look := range looks {
		look()
	}
}
