// SPDX-License-Identifier: Apache-2.0

// Package memory bounds the bytes that peers can make a participant hold. It counts and holds nothing itself. It has no
// lock: its owner has one.
package memory

// Budget bounds bytes: what all peers together can make a participant hold, or what its own writers keep.
type Budget struct {
	// Used is what is held now, Limit what may be, bytes.
	Used, Limit int
	// Reclaim, if set, tries to free n bytes for a share that is within its own limit.
	Reclaim func(n int, by *Share)
}

// Reserve takes n bytes, or reports that there are none.
func (m *Budget) Reserve(n int) bool {
	if n > m.Limit-m.Used {
		return false
	}
	m.Used += n
	return true
}

// Release gives n bytes back.
func (m *Budget) Release(n int) { m.Used -= n }

// Share bounds what one peer can make a participant hold, within a budget for all: samples in assembly and samples out
// of order.
type Share struct {
	// Total is the budget for all.
	Total *Budget
	// Used is what the peer holds now, Limit what it may, bytes.
	Used, Limit int
}

// Reserve takes n bytes of the share and of the budget, which is asked to reclaim them if need be, or reports that
// there are none.
func (s *Share) Reserve(n int) bool {
	if n > s.Limit-s.Used {
		return false
	}
	if !s.Total.Reserve(n) {
		if s.Total.Reclaim == nil {
			return false
		}
		if s.Total.Reclaim(n, s); !s.Total.Reserve(n) {
			return false
		}
	}
	s.Used += n
	return true
}

// Release gives n bytes back.
func (s *Share) Release(n int) {
	s.Used -= n
	s.Total.Release(n)
}
