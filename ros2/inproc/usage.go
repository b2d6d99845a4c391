// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// usage counts the goroutines that use a set of recipients, in stripes, so that those that publish at the same time
// write different cache lines. Once retired it admits no more of them; when the last one has left, the callbacks of the
// recipients have returned: the grace period of read-copy-update (McKenney and Slingwine, 1998).
type usage struct {
	single stripe         // if it is not shared
	shared []paddedStripe // if it is
	shift  uint           // of a hash of 32 bits, to an index of shared
	finals []int64
	once   sync.Once
	ended  atomic.Pointer[chan struct{}] // closed when the last one has left; nil while no goroutine waits
}

// stripe is a part of the counts.
type stripe struct {
	entered atomic.Int64
	left    atomic.Int64
}

// paddedStripe is a stripe with its own cache lines: processors fetch them in pairs of 64 bytes.
type paddedStripe struct {
	stripe
	_ [112]byte
}

// Flags in the counts of a stripe.
const (
	retired = 1 << 62 // in entered: no more may enter
	awaited = 1 << 62 // in left: a goroutine waits for the last one
)

// maxStripes bounds the memory of a usage: 8 KiB.
const maxStripes = 64

// newUsage returns a usage, with one stripe unless it is shared: then with several for each processor, so that
// goroutines seldom get the same.
func newUsage(shared bool) *usage {
	processors := runtime.GOMAXPROCS(0)
	if !shared || processors == 1 {
		return &usage{}
	}
	n, shift := 1, uint(32)
	for n < min(4*processors, maxStripes) {
		n, shift = 2*n, shift-1
	}
	return &usage{shared: make([]paddedStripe, n), shift: shift}
}

// stripes returns how many there are.
func (u *usage) stripes() int { return max(1, len(u.shared)) }

// stripe returns one of them.
func (u *usage) stripe(i int) *stripe {
	if len(u.shared) == 0 {
		return &u.single
	}
	return &u.shared[i].stripe
}

// enter counts the caller and returns its stripe, and its number among those of the stripe; nil if the usage is
// retired. A goroutine's stripe depends on the address of its stack and on seed, which changes when two write the same.
func (u *usage) enter(seed *atomic.Uint32) (s *stripe, number int64) {
	s = &u.single
	if len(u.shared) > 0 {
		var here byte
		const golden = 0x9E3779B1 // 2³² divided by the golden ratio
		s = &u.shared[uint32(uintptr(unsafe.Pointer(&here))>>11)*golden*(2*seed.Load()+1)>>u.shift].stripe
	}
	before := s.entered.Load()
	if before&retired == 0 && s.entered.CompareAndSwap(before, before+1) {
		return s, before + 1
	}
	return u.contend(s, seed)
}

// contend is enter after another goroutine has written the stripe.
func (u *usage) contend(s *stripe, seed *atomic.Uint32) (*stripe, int64) {
	number := s.entered.Add(1)
	if number&retired != 0 {
		return nil, 0
	}
	if len(u.shared) > 0 {
		seed.Add(1)
	}
	return s, number
}

// leave ends what enter began.
func (u *usage) leave(s *stripe) {
	if s.left.Add(1)&awaited != 0 && u.idle() {
		u.once.Do(func() { close(*u.ended.Load()) })
	}
}

// total returns how many have entered.
func (u *usage) total() (n int64) {
	for i := range u.stripes() {
		n += u.stripe(i).entered.Load() &^ retired
	}
	return n
}

// retire refuses all later calls of enter and returns how many have entered. It is called once.
func (u *usage) retire() (total int64) {
	u.finals = make([]int64, u.stripes())
	for i := range u.finals {
		u.finals[i] = u.stripe(i).entered.Or(retired)
		total += u.finals[i]
	}
	return total
}

// idle reports whether all have left. The usage is retired.
func (u *usage) idle() bool {
	for i := range u.finals {
		if u.stripe(i).left.Load()&^awaited != u.finals[i] {
			return false
		}
	}
	return true
}

// await waits, up to timeout, until all have left, and reports whether they have. The usage is retired.
func (u *usage) await(timeout time.Duration) bool {
	ended := make(chan struct{})
	u.ended.CompareAndSwap(nil, &ended)
	for i := range u.finals {
		u.stripe(i).left.Or(awaited)
	}
	if u.idle() {
		return true
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	select {
	case <-*u.ended.Load():
		return true
	case <-limit.C:
		return u.idle()
	}
}
