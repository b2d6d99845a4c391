// SPDX-License-Identifier: Apache-2.0

package wire

// appendParameter appends a parameter with the given value, padded to four bytes, little-endian. It omits values of
// more than 65532 bytes, which a parameter cannot hold.
func appendParameter(dst []byte, id parameterID, value []byte) []byte {
	if align4(len(value)) > 0xffff {
		return dst
	}
	dst = appendU16(appendU16(dst, uint16(id)), uint16(align4(len(value))))
	start := len(dst)
	return appendPad(append(dst, value...), start)
}

// appendSentinel appends the parameter that ends a list.
func appendSentinel(dst []byte) []byte { return append(dst, byte(pidSentinel), 0, 0, 0) }

// beginParameter appends a parameter header; endParameter fills in the length.
func beginParameter(dst []byte, id parameterID) ([]byte, int) {
	dst = appendU16(appendU16(dst, uint16(id)), 0)
	return dst, len(dst)
}

func endParameter(dst []byte, start int) []byte {
	dst = appendPad(dst, start)
	n := len(dst) - start
	if n > 0xffff {
		return dst[:start-4]
	}
	dst[start-2], dst[start-1] = byte(n), byte(n>>8)
	return dst
}

func appendU32Parameter(dst []byte, id parameterID, v uint32) []byte {
	return appendU32(appendU16(appendU16(dst, uint16(id)), 4), v)
}

func appendGUIDParameter(dst []byte, id parameterID, g GUID) []byte {
	return g.Append(appendU16(appendU16(dst, uint16(id)), guidSize))
}

func appendDurationParameter(dst []byte, id parameterID, d Duration) []byte {
	return appendDuration(appendU16(appendU16(dst, uint16(id)), 8), d)
}

func appendLocatorParameters(dst []byte, id parameterID, ls []Locator) []byte {
	for _, l := range ls {
		dst = l.Append(appendU16(appendU16(dst, uint16(id)), locatorSize))
	}
	return dst
}

func appendStringParameter(dst []byte, id parameterID, s string) []byte {
	dst, start := beginParameter(dst, id)
	return endParameter(appendString(dst, start, s), start)
}

func appendOctetsParameter(dst []byte, id parameterID, b []byte) []byte {
	dst, start := beginParameter(dst, id)
	dst = appendU32(dst, uint32(len(b)))
	return endParameter(append(dst, b...), start)
}

// appendString appends a CDR string: the length with NUL, aligned to four bytes from start on, the bytes, and NUL.
func appendString(dst []byte, start int, s string) []byte {
	dst = appendPad(dst, start)
	dst = appendU32(dst, uint32(len(s)+1))
	return append(append(dst, s...), 0)
}

// appendVersionVendor appends the protocol version and vendor id parameters.
func appendVersionVendor(dst []byte, v ProtocolVersion, vendor VendorID) []byte {
	dst = appendParameter(dst, pidProtocolVersion, []byte{v.major(), v.minor()})
	return appendParameter(dst, pidVendorID, []byte{byte(vendor >> 8), byte(vendor)})
}
