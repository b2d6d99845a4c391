// SPDX-License-Identifier: Apache-2.0

package sim

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
	// patience is how many looks for work a member of the crew makes before it lets other goroutines run.
	patience = 200
	// linger is how many it makes before it goes home: tens of microseconds.
	linger = 20_000
)

// crew shares the work of the phases among goroutines that live as long as there is something to do. Phases are
// microseconds apart, and to wake a goroutine takes longer than most of them: so a member looks for the next phase
// without pause instead of sleeping, also when the world has caught up with the clock, for it may be asked to go on at
// once; and goes home by itself when nothing comes. A member that the machine does not run is not waited for unless it
// has begun. Each goroutine begins with a share of its own, the same in every phase, whose robots are in its
// processor's cache.
//
// The zero value is a crew without members. The caller holds the simulation's mutex.
type crew struct {
	// state is the number of the phase, which is odd while there is work, times onePhase, plus the members at work.
	state atomic.Uint64
	_     [56]byte // members look at the above while others work
	// Of the phase; only read by who is counted in state, and by the caller.
	shares []share // the caller's is the first
	f      func(i int)
	// here says which members are there: those of the shares but the first.
	here []*atomic.Bool
}

// share is what is left of some pieces of work, of one goroutine first, and then of who has done its own. The owner
// begins at the front and others at the back: where one processor is slower than another, it is the same pieces in
// every phase that change hands, and they don't go from cache to cache and back.
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

// hire sees to it that there are so many members, as far as it can be known: one may be about to go.
func (c *crew) hire(members int) {
	for len(c.here) < members {
		c.here = append(c.here, new(atomic.Bool))
	}
	if len(c.shares) != members+1 {
		c.shares = make([]share, members+1)
	}
	for i, here := range c.here[:members] {
		if here.CompareAndSwap(false, true) {
			task.Go("simulate", func() { c.join(i+1, here) })
		}
	}
}

// do calls f for 0 to n−1, together with the members.
func (c *crew) do(n int, f func(i int)) {
	c.f = f
	for i := range c.shares {
		c.shares[i].deal(i*n/len(c.shares), (i+1)*n/len(c.shares))
	}
	c.state.Add(onePhase)
	c.work(0)
	left := c.state.Add(onePhase)
	for looks := 0; uint32(left) != 0; looks++ {
		pause(looks)
		left = c.state.Load()
	}
	c.f = nil
}

// join works in all phases that are met, once in each, until there has been none for a while.
func (c *crew) join(own int, here *atomic.Bool) {
	defer here.Store(false)
	worked := uint64(0)
	for looks := 0; looks < linger; looks++ {
		now := c.state.Load()
		if phase := now / onePhase; phase%2 == 1 && phase != worked && c.state.CompareAndSwap(now, now+1) {
			c.work(own)
			c.state.Add(^uint64(0))
			worked, looks = phase, 0
			continue
		}
		pause(looks)
	}
}

// work takes pieces until there are none, first of its own share; a member too many has none.
func (c *crew) work(own int) {
	for k := range c.shares {
		s := &c.shares[(own+k)%len(c.shares)]
		for from, end := s.cut(k == 0); from < end; from, end = s.cut(k == 0) {
			for i := from; i < end; i++ {
				c.f(i)
			}
		}
	}
}

// pause lets others run now and then.
func pause(looks int) {
	if looks%patience == patience-1 {
		runtime.Gosched()
	}
}

// each calls f for 0 to n−1, on all processors if there is enough to do. f(i) may write what belongs to i alone.
func (s *Simulation) each(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), s.opts.Workers, n/parallelFrom)
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	s.crew.hire(workers - 1)
	s.crew.do(n, f)
}
