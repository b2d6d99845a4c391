// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// seenParameters detects parameters that occur twice in one list. It covers the ids below 0x100; those above are
// vendor-specific.
type seenParameters [4]uint64

// repeatable reports whether a parameter may occur more than once.
func repeatable(id parameterID) bool {
	switch id {
	case pidUnicastLocator, pidMulticastLocator, pidDefaultUnicastLocator,
		pidDefaultMulticastLocator, pidMetatrafficUnicast, pidMetatrafficMulticast:
		return true
	}
	return false
}

// add adds id and reports whether it was present already.
func (s *seenParameters) add(id parameterID) (again bool) {
	if id > 0xff || repeatable(id) {
		return false
	}
	again = s[id/64]>>(id%64)&1 != 0
	s[id/64] |= 1 << (id % 64)
	return again
}

// decodeParameters calls take for each parameter of l. take returns false for unknown ones, which are ignored unless
// they must be understood.
func decodeParameters(l ParameterList, take func(id parameterID, r *paramReader) bool) error {
	var seen seenParameters
	for p := range l.all {
		r := p.reader()
		if !take(p.ID, &r) {
			if p.ID.mustUnderstand() {
				return fmt.Errorf("%w: 0x%04x", errMustUnderstand, uint16(p.ID))
			}
			continue
		}
		if r.err != nil {
			return fmt.Errorf("parameter 0x%04x: %w", uint16(p.ID), r.err)
		}
		if seen.add(p.ID) {
			return fmt.Errorf("%w: 0x%04x", errDuplicate, uint16(p.ID))
		}
	}
	return nil
}
