// SPDX-License-Identifier: Apache-2.0

// Package task starts every goroutine of the program. A panic in any of them would end the program with the wheels as
// they are, and the robot keeps its last speed forever. So a goroutine that panics first runs what was registered with
// [AtPanic], which stops the wheels, and only then ends the program with the panic's own report and status.
//
// It is in the lowest layer of the program and imports the standard library only. A test of package policy finds
// goroutines that are started in another way.
package task

import (
	"context"
	"sync"
	"time"
)

// Go runs f on a goroutine of its own. The name is in the report of a panic.
func Go(name string, f func()) {
	go func() {
		defer rescue(name)
		begin(name, f)
	}()
}

// Run runs f on the goroutine that calls it, guarded as those that [Go] starts: for main.
func Run(name string, f func()) {
	defer rescue(name)
	begin(name, f)
}

// AfterFunc runs f on a goroutine of its own once d has passed, as [time.AfterFunc] does.
func AfterFunc(d time.Duration, name string, f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		defer rescue(name)
		begin(name, f)
	})
}

// AfterDone runs f on a goroutine of its own once ctx has ended, as [context.AfterFunc] does.
func AfterDone(ctx context.Context, name string, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		defer rescue(name)
		begin(name, f)
	})
}

// Group is some goroutines that are waited for together. The zero value is ready; it must not be copied.
type Group struct {
	// Panicked is called with a panic in a goroutine of the group, on that goroutine, which then ends. It defaults to
	// what happens to every other goroutine: the program ends. It must be set before the first Go.
	Panicked func(*Panic)

	wait sync.WaitGroup
}

// Go runs f on a goroutine of its own.
func (g *Group) Go(name string, f func()) {
	g.wait.Go(func() {
		if g.Panicked != nil {
			defer g.caught(name)
		} else {
			defer rescue(name)
		}
		begin(name, f)
	})
}

// Wait returns when every goroutine of the group has ended.
func (g *Group) Wait() { g.wait.Wait() }

// Done returns a channel that is closed when every goroutine of the group has ended, for those who wait for a time
// only.
func (g *Group) Done() <-chan struct{} {
	done := make(chan struct{})
	Go("wait for a group", func() {
		g.wait.Wait()
		close(done)
	})
	return done
}

// WaitFor waits until every goroutine of the group has ended, but no longer than d. It reports whether they have.
func (g *Group) WaitFor(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-g.Done():
		return true
	case <-timer.C:
		return false
	}
}

func (g *Group) caught(name string) {
	if v := recover(); v != nil {
		g.Panicked(newPanic(name, v))
	}
}
