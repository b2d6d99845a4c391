// SPDX-License-Identifier: Apache-2.0

package task

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// Panic is what is known of a panic.
type Panic struct {
	// Task is the name of the goroutine.
	Task string
	// Value is what it panicked with.
	Value any
	// Stack is its stack, as package runtime writes it.
	Stack []byte
}

func newPanic(name string, v any) *Panic { return &Panic{Task: name, Value: v, Stack: debug.Stack()} }

// Error gives the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic in %s: %v\n%s", p.Task, p.Value, p.Stack) }

// firstAid is one function of AtPanic; its address identifies it.
type firstAid struct{ f func(*Panic) }

// aids are those that are registered, of the whole process: a panic ends all of it, wherever it happens.
var aids struct {
	mu  sync.Mutex
	all []*firstAid
}

// AtPanic registers a function that is called when a goroutine of this package panics, before the program ends. It is
// called on the goroutine that panicked and must return soon; the latest that was registered is called first. remove
// takes it back.
func AtPanic(f func(*Panic)) (remove func()) {
	aid := &firstAid{f}
	aids.mu.Lock()
	defer aids.mu.Unlock()
	aids.all = append(aids.all, aid)
	return func() {
		aids.mu.Lock()
		defer aids.mu.Unlock()
		aids.all = slices.DeleteFunc(aids.all, func(a *firstAid) bool { return a == aid })
	}
}

// rescue is deferred by every goroutine. The panic continues after first aid: the runtime reports it, with the stack,
// and ends the program with status 2, unless first aid has ended it before.
func rescue(name string) {
	v := recover()
	if v == nil {
		return
	}
	p := newPanic(name, v)
	aids.mu.Lock()
	all := slices.Clone(aids.all)
	aids.mu.Unlock()
	for _, aid := range slices.Backward(all) {
		aid.give(p)
	}
	panic(v) //nolint:forbidigo // the program ends as it would have, after the wheels have stopped
}

// give calls the function; one that panics itself does not keep the others from being called.
func (a *firstAid) give(p *Panic) {
	defer func() { _ = recover() }()
	a.f(p)
}
