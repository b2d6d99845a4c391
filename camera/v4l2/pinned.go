// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package v4l2

import (
	"runtime"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// pinned runs functions on a goroutine of its own whose stack does not move while they run.
//
// go4vl 0.3.0 turns the address of a variable on the stack into a uintptr and hands it through two Go functions to the
// system call. If the stack is moved in between, because it has to grow or because the garbage collector halves it,
// the kernel reads and writes the old place: VIDIOC_DQBUF then seems to give buffer 0 for ever, and something else's
// memory is overwritten. TestStackMoves shows it on a real device.
//
// A stack grows when a function finds it too small, so here one has been grown before, by more than go4vl needs. It
// shrinks when less than a quarter is used, so here more is used all the time: held bytes of a stack that is the next
// power of two above. Both are rules of the runtime (newstack and shrinkstack in runtime/stack.go).
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

// do runs f there and waits for it. One goroutine at a time may call it, and none after stop.
func (p *pinned) do(f func()) {
	p.calls <- f
	<-p.done
}

// stop ends the goroutine and waits for that.
func (p *pinned) stop() {
	p.once.Do(func() { close(p.calls) })
	<-p.ended
}

func (p *pinned) run() {
	var weight [held]byte
	p.answer(&weight)
	runtime.KeepAlive(&weight)
}

//go:noinline
func (p *pinned) answer(weight *[held]byte) {
	weight[0] = grow()
	for f := range p.calls {
		f()
		p.done <- struct{}{}
	}
	close(p.ended)
}

// grow makes the stack large enough for what follows.
//
//go:noinline
func grow() byte {
	var room [spare]byte
	touch(room[:])
	return room[0]
}

//go:noinline
func touch(b []byte) {
	for i := 0; i < len(b); i += 1 << 10 {
		b[i] = byte(i)
	}
}
