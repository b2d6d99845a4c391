// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package v4l2

import (
	"runtime"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// pinned runs functions on its own goroutine, whose stack does not move while they run.
//
// go4vl 0.3.0 converts the address of a variable on the stack to a uintptr and passes it through two Go functions to
// the system call. If the stack is moved in between, because it grows or because the garbage collector shrinks it, the
// kernel reads and writes the old address: VIDIOC_DQBUF then always seems to return buffer 0, and other memory is
// overwritten. TestStackMoves shows it on a real device.
//
// A stack grows when a function finds it too small, so this one is grown in advance, by more than go4vl needs. It
// shrinks when less than a quarter is used, so more is used all the time: held bytes of a stack whose size is the next
// power of two. Both are rules of the runtime (newstack and shrinkstack in runtime/stack.go).
type pinned struct {
	calls chan func()
	done  chan struct{}
	ended chan struct{}
	once  sync.Once
}

const (
	held  = 20 << 10 // bytes of stack in use while a function runs
	spare = 8 << 10  // bytes of stack free at that time; go4vl needs about 1 KiB
)

func newPinned() *pinned {
	p := &pinned{calls: make(chan func()), done: make(chan struct{}), ended: make(chan struct{})}
	task.Go("camera thread", p.run)
	return p
}

// do runs f on the pinned goroutine and waits for it. One goroutine at a time may call it, and none after stop.
func (p *pinned) do(f func()) {
	p.calls <- f
	<-p.done
}

// stop ends the goroutine and waits for its end.
func (p *pinned) stop() {
	p.once.Do(func() { close(p.calls) })
	<-p.ended
}

func (p *pinned) run() {
	var weight [held]byte
	p.runCalls(&weight)
	runtime.KeepAlive(&weight)
}

//go:noinline
func (p *pinned) runCalls(weight *[held]byte) {
	weight[0] = grow()
	for f := range p.calls {
		f()
		p.done <- struct{}{}
	}
	close(p.ended)
}

// grow grows the stack in advance.
//
//go:noinline
func grow() byte {
	var unused [spare]byte
	touch(unused[:])
	return unused[0]
}

//go:noinline
func touch(b []byte) {
	for i := 0; i < len(b); i += 1 << 10 {
		b[i] = byte(i)
	}
}
