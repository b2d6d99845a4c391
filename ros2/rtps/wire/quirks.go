// SPDX-License-Identifier: Apache-2.0

package wire

// Deviations of other implementations from the specification, one function each.

// quirkBaseZero: Fast DDS and RTI Connext start a reliable exchange with an ACKNACK of base 0 and no bits, although
// 8.3.5.5 requires a base of at least 1. It is accepted as a request for a HEARTBEAT, from these two only.
func quirkBaseZero(s *SequenceNumberSet, vendor VendorID, strict bool) bool {
	return !strict && s.Base == 0 && s.Empty() &&
		(vendor == VendorEProsima || vendor == VendorRTI)
}

// quirkPadCount: native Cyclone DDS writers store the number of padding bytes at the end of the payload in the low two
// bits of the encapsulation options, as XTypes 7.6.3.1.2 later specified; by RTPS 10.2.1.2 the options are zero and
// ignored. The number is used only if the payload has that many bytes.
func quirkPadCount(payload []byte) int {
	n := int(payload[3] & 3)
	if len(payload)-encapsulationSize < n {
		return 0
	}
	return n
}
