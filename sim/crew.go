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
	// chunk is how many pieces a goroutine takes at once.
	chunk = 16
	// patience is how many looks for work a member of the crew makes before it lets other goroutines run.
	patience = 200
)

// crew shares the work of the phases among goroutines that live while the world catches up with the clock. Phases are
// microseconds apart, and to wake a goroutine takes longer than most of them: so a member looks for the next phase
// without pause instead of sleeping. A member that the machine does not run is not waited for unless it has begun.
// Each goroutine begins with a share of its own, the same in every phase, whose robots are in its processor's cache.
//
// The zero value is a crew without members. The caller holds the simulation's mutex.
type crew struct {
	group   task.Group
	members int
	// state is the number of the phase, which is odd while there is work, times onePhase, plus the members at work.
	state atomic.Uint64
	over  atomic.Bool // the members go home
	_     [64]byte    // members look at the above while others work
	// Of the phase; only read by who is counted in state, and by the caller.
	shares []share // the caller's is the first
	f      func(i int)
}

// share is the pieces of work from next to end, of one goroutine first, and then of who has done its own.
type share struct {
	next atomic.Int64
	end  int64
	_    [48]byte // another share is in another line of the cache
}

const onePhase = 1 << 32

// hire adds members until there are so many.
func (c *crew) hire(members int) {
	for c.members < members {
		c.members++
		own := c.members
		c.group.Go("simulate", func() { c.join(own) })
	}
	if len(c.shares) <= c.members {
		c.shares = make([]share, c.members+1)
	}
}

// dismiss ends all members and waits for them.
func (c *crew) dismiss() {
	if c.members == 0 {
		return
	}
	c.over.Store(true)
	c.group.Wait()
	c.members = 0
	c.over.Store(false)
	c.state.Store(0)
}

// do calls f for 0 to n−1, together with the members.
func (c *crew) do(n int, f func(i int)) {
	c.f = f
	for i := range c.shares {
		c.shares[i].next.Store(int64(i * n / len(c.shares)))
		c.shares[i].end = int64((i + 1) * n / len(c.shares))
	}
	c.state.Add(onePhase)
	c.work(0)
	left := c.state.Add(onePhase)
	for looks := 0; uint32(left) != 0; looks++ { //nolint:gosec // the lower half
		pause(looks)
		left = c.state.Load()
	}
	c.f = nil
}

// join works in all phases that are met, once in each, until the crew is dismissed.
func (c *crew) join(own int) {
	worked := uint64(0)
	for looks := 0; !c.over.Load(); looks++ {
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

// work takes pieces until there are none, first of its own share.
func (c *crew) work(own int) {
	for k := range c.shares {
		s := &c.shares[(own+k)%len(c.shares)]
		for {
			from := s.next.Add(chunk) - chunk
			if from >= s.end {
				break
			}
			for i := from; i < min(from+chunk, s.end); i++ {
				c.f(int(i))
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
	if !s.reaching {
		defer s.crew.dismiss()
	}
	s.crew.hire(workers - 1)
	s.crew.do(n, f)
}
