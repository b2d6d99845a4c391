// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"log/slog"
	"runtime"
	"time"
)

// The middleware tells that the graph changed before, while or after endpoints
// match, and some tell of no match at all. So matches are looked at after every
// change: soon, then at growing intervals up to idleLook.
const (
	firstLook = 5 * time.Millisecond
	idleLook  = time.Second
)

// run takes what comes and calls callbacks, until the spinner is stopped. All
// callbacks run on its goroutine, which keeps its thread: middlewares have state
// by thread.
func (t *Transport) run() {
	runtime.LockOSThread()
	defer close(t.spin.ended)
	interval := firstLook
	due := time.Now()
	for {
		r, goOn, err := t.spin.next(max(0, time.Until(due)))
		if err != nil {
			t.log.Error("transport lost", slog.Any("error", err))
			t.end(err)
			return
		}
		if !goOn {
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

// checkMatches asks every endpoint for its matches.
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
