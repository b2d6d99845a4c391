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
	stripes []stripe
	shift   uint // of a hash of 32 bits, to an index of stripes
	finals  []int64
	once    sync.Once
	ended   chan struct{} // closed when the last one has left, if a goroutine waits
}

// stripe is a part of the counts with its cache lines: processors fetch them in pairs of 64 bytes.
type stripe struct {
	entered atomic.Int64
	left    atomic.Int64
	_       [112]byte
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
	n, shift := 1, uint(32)
	if processors := runtime.GOMAXPROCS(0); shared && processors > 1 {
		for n < min(4*processors, maxStripes) {
			n, shift = 2*n, shift-1
		}
	}
	return &usage{stripes: make([]stripe, n), shift: shift, ended: make(chan struct{})}
}

// enter counts the caller and returns its stripe, and its number among those of the stripe; nil if the usage is
// retired. A goroutine's stripe depends on the address of its stack and on seed, which changes when two write the same.
func (u *usage) enter(seed *atomic.Uint32) (s *stripe, number int64) {
	s = &u.stripes[0]
	if len(u.stripes) > 1 {
		var here byte
		const golden = 0x9E3779B1 // 2³² divided by the golden ratio
		s = &u.stripes[uint32(uintptr(unsafe.Pointer(&here))>>11)*golden*(2*seed.Load()+1)>>u.shift]
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
	if len(u.stripes) > 1 {
		seed.Add(1)
	}
	return s, number
}

// leave ends what enter began.
func (u *usage) leave(s *stripe) {
	if s.left.Add(1)&awaited != 0 && u.idle() {
		u.once.Do(func() { close(u.ended) })
	}
}

// total returns how many have entered.
func (u *usage) total() (n int64) {
	for i := range u.stripes {
		n += u.stripes[i].entered.Load() &^ retired
	}
	return n
}

// retire refuses all later calls of enter and returns how many have entered. It is called once.
func (u *usage) retire() (total int64) {
	u.finals = make([]int64, len(u.stripes))
	for i := range u.stripes {
		u.finals[i] = u.stripes[i].entered.Or(retired)
		total += u.finals[i]
	}
	return total
}

// idle reports whether all have left. The usage is retired.
func (u *usage) idle() bool {
	for i := range u.stripes {
		if u.stripes[i].left.Load()&^awaited != u.finals[i] {
			return false
		}
	}
	return true
}

// await waits, up to timeout, until all have left, and reports whether they have. The usage is retired.
func (u *usage) await(timeout time.Duration) bool {
	for i := range u.stripes {
		u.stripes[i].left.Or(awaited)
	}
	if u.idle() {
		return true
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	select {
	case <-u.ended:
		return true
	case <-limit.C:
		return u.idle()
	}
}
