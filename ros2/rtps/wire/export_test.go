// SPDX-License-Identifier: Apache-2.0

package wire

// count returns how many entity submessages (not INFO_…) were added.
func (b *Builder) count() int { return b.state.count }

// mark is a position in a Builder to roll back to.
type mark struct{ state builderState }

// mark returns the present position.
func (b *Builder) mark() mark { return mark{b.state} }

// rollback takes back everything added since m was taken from this datagram.
func (b *Builder) rollback(m mark) {
	b.state = m.state
	b.buf = b.buf[:m.state.length]
}

// isVendorSpecific reports whether e is an entity that only its vendor knows.
func (e EntityID) isVendorSpecific() bool { return e.Kind()&kindOriginMask == kindVendor }

// key returns the three octets of key.
func (e EntityID) key() uint32 { return uint32(e) >> 8 }

// empty reports whether no number is in the set.
func (s *FragmentNumberSet) empty() bool { return s.Len() == 0 }

// intervals calls yield for each run of consecutive numbers in the set, in
// rising order, until it returns false. It is a range function.
func (s *FragmentNumberSet) intervals(yield func(first, last FragmentNumber) bool) {
	for i := s.bits().next(0, s.NumBits, true); i < s.NumBits; {
		end := s.bits().next(i, s.NumBits, false)
		if !yield(s.Base+FragmentNumber(i), s.Base+FragmentNumber(end)-1) {
			return
		}
		i = s.bits().next(end, s.NumBits, true)
	}
}

// isVendorSpecific reports whether only the sender's vendor defines id.
func (id parameterID) isVendorSpecific() bool { return id&pidVendorSpecific != 0 }

// isVendorSpecific reports whether only the vendor of the message defines id.
func (id SubmessageID) isVendorSpecific() bool { return id >= 0x80 }
