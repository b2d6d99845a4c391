// SPDX-License-Identifier: Apache-2.0

// Package memory bounds the memory that peers can make a participant use. It only counts bytes. It is not safe for
// concurrent use.
package memory

// Budget bounds the memory of all peers together, or of the local writers' histories.
type Budget struct {
	// Used is the memory in use, Limit the bound, bytes.
	Used, Limit int
	// Reclaim, if set, tries to free n bytes for a share that is within its own limit.
	Reclaim func(n int, by *Share)
}

// Reserve reserves n bytes, and reports whether they were available.
func (m *Budget) Reserve(n int) bool {
	if n > m.Limit-m.Used {
		return false
	}
	m.Used += n
	return true
}

// Release releases n bytes.
func (m *Budget) Release(n int) { m.Used -= n }

// Share bounds the memory of one peer's samples, in assembly or out of order, within a budget for all peers.
type Share struct {
	// Total is the budget for all.
	Total *Budget
	// Used is the memory in use by the peer, Limit its bound, bytes.
	Used, Limit int
}

// Reserve reserves n bytes of the share and of the budget, which reclaims them from others if needed, and reports
// whether they were available.
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

// Release releases n bytes.
func (s *Share) Release(n int) {
	s.Used -= n
	s.Total.Release(n)
}
