// SPDX-License-Identifier: Apache-2.0

package wire

// Departures of other implementations from the specification, each in a
// branch of its own.

// quirkBaseZero: Fast DDS and RTI Connext open a reliable conversation with an ACKNACK of base 0 and no bits, where
// 8.3.5.5 demands a base of at least 1. It is accepted as a request for a HEARTBEAT from these two only.
func quirkBaseZero(s *SequenceNumberSet, vendor VendorID, strict bool) bool {
	return !strict && s.Base == 0 && s.Empty() &&
		(vendor == VendorEProsima || vendor == VendorRTI)
}

// quirkPadCount: native Cyclone DDS writers put the number of padding bytes at
// the end of the payload into the low two bits of the encapsulation options,
// as XTypes 7.6.3.1.2 later made the rule; RTPS 10.2.1.2 says the options are
// zero and ignored. It is used only if that many bytes are there.
func quirkPadCount(payload []byte) int {
	n := int(payload[3] & 3)
	if len(payload)-encapsulationSize < n {
		return 0
	}
	return n
}
