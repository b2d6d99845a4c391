// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"runtime"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

const (
	// parallelFrom is the least number of pieces of work worth a second goroutine.
	parallelFrom = 32
	// chunk is how many pieces a goroutine takes at once at the most.
	chunk = 64
	// yieldAfter is how many times a worker looks for work before it lets other goroutines run.
	yieldAfter = 200
	// exitAfter is how many times it looks before it ends: tens of microseconds.
	exitAfter = 20_000
)

// workerPool shares the work of the phases among goroutines. Phases are microseconds apart, and to wake a goroutine
// takes longer than most of them: so a worker polls for the next phase instead of sleeping, also after the world has
// reached the clock's time, for the next step may follow at once; it ends by itself when no work comes. A worker
// that the operating system does not run is not waited for unless it has begun. Each goroutine begins with a share of
// its own, the same in every phase, whose bodies are in its processor's cache.
//
// The zero value is a pool without workers. The caller holds the world's lock.
type workerPool struct {
	// state is the number of the phase, which is odd while there is work, times onePhase, plus the workers at work.
	state atomic.Uint64
	_     [56]byte // workers read the above while others work
	// Of the phase; only read by who is counted in state, and by the caller.
	shares []share // the caller's is the first
	f      func(i int)
	// running is which workers run: those of the shares but the first.
	running []*atomic.Bool
}

// share is what is left of some pieces of work, of one goroutine first, and then of who has done its own. The owner
// begins at the front and others at the back: where one processor is slower than another, it is the same pieces in
// every phase that change workers, and they don't go from cache to cache and back.
type share struct {
	left atomic.Uint64 // the first piece times onePhase, plus the one after the last
	_    [56]byte      // another share is in another line of the cache
}

// deal puts pieces into the share.
func (s *share) deal(from, end int) { s.left.Store(uint64(from)*onePhase + uint64(end)) }

// cut takes pieces off the front or the back: a part of what is left, so that the last ones are single, and all
// goroutines end at about the same time. There are none left if from is not below end.
func (s *share) cut(front bool) (from, end int) {
	for {
		left := s.left.Load()
		from, end = int(left/onePhase), int(left%onePhase)
		if from >= end {
			return from, end
		}
		n := max(1, min(chunk, (end-from)/4))
		if front {
			if s.left.CompareAndSwap(left, left+uint64(n)*onePhase) {
				return from, from + n
			}
		} else if s.left.CompareAndSwap(left, left-uint64(n)) {
			return end - n, end
		}
	}
}

const onePhase = 1 << 32

// resize sets the number of workers that take part in the next phases.
func (p *workerPool) resize(workers int) {
	for len(p.running) < workers {
		p.running = append(p.running, new(atomic.Bool))
	}
	if len(p.shares) != workers+1 {
		p.shares = make([]share, workers+1)
	}
}

// start starts the workers that do not run. The phase has begun: a worker that is about to end either sees it and goes
// on, or is started again here, so all take part.
func (p *workerPool) start() {
	for i, running := range p.running[:len(p.shares)-1] {
		if running.CompareAndSwap(false, true) {
			task.Go("simulate", func() { p.work(i+1, running) })
		}
	}
}

// do calls f for 0 to n−1, together with the workers.
func (p *workerPool) do(n int, f func(i int)) {
	p.f = f
	for i := range p.shares {
		p.shares[i].deal(i*n/len(p.shares), (i+1)*n/len(p.shares))
	}
	p.state.Add(onePhase)
	p.start()
	p.process(0)
	left := p.state.Add(onePhase)
	for looks := 0; uint32(left) != 0; looks++ {
		pause(looks)
		left = p.state.Load()
	}
	p.f = nil
}

// work takes part in all phases, once in each, until there has been none for a while.
func (p *workerPool) work(own int, running *atomic.Bool) {
	worked := uint64(0)
	for {
		for looks := 0; looks < exitAfter; looks++ {
			now := p.state.Load()
			if !open(now, worked) {
				pause(looks)
			} else if p.state.CompareAndSwap(now, now+1) {
				p.process(own)
				p.state.Add(^uint64(0))
				worked, looks = now/onePhase, 0
			}
		}
		running.Store(false)
		if !open(p.state.Load(), worked) || !running.CompareAndSwap(false, true) {
			return
		}
	}
}

// open reports whether there is work, in another phase than the one that was worked in last.
func open(state, worked uint64) bool {
	phase := state / onePhase
	return phase%2 == 1 && phase != worked
}

// process does pieces of work until there are none, first of its own share; a worker too many has none.
func (p *workerPool) process(own int) {
	for k := range p.shares {
		s := &p.shares[(own+k)%len(p.shares)]
		for from, end := s.cut(k == 0); from < end; from, end = s.cut(k == 0) {
			for i := from; i < end; i++ {
				p.f(i)
			}
		}
	}
}

// pause lets others run now and then.
func pause(looks int) {
	if looks%yieldAfter == yieldAfter-1 {
		runtime.Gosched()
	}
}

// Each calls f for 0 to n−1, on all processors if there is enough to do. f(i) may write what belongs to i alone.
func (k *Kernel) Each(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), k.cfg.Workers, n/parallelFrom)
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	k.workers.resize(workers - 1)
	k.workers.do(n, f)
}
