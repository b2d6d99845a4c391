// SPDX-License-Identifier: Apache-2.0

package wire

// infoTS is the INFO_TS submessage: the source time of the following submessages (DDSI-RTPS 8.3.7.10, 9.4.5.11).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|  INFO_TS 0x09 |X X X X X X I E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|             Timestamp (seconds, fraction), if not I           |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
type infoTS struct {
	// Time is the source time; timeInvalid for none (flag I).
	Time Time
}

// Size returns how many bytes Append appends.
func (m infoTS) Size() int {
	if m.Time == timeInvalid {
		return submessageHeaderSize
	}
	return submessageHeaderSize + 8
}

// Append appends the submessage, little-endian, to dst.
func (m infoTS) Append(dst []byte) []byte {
	start := len(dst)
	if m.Time == timeInvalid {
		return finishSub(appendSubHeader(dst, subInfoTS, flagInvalidate), start)
	}
	return finishSub(appendTime(appendSubHeader(dst, subInfoTS, 0), m.Time), start)
}

func (m *infoTS) decode(s *Submessage) error {
	if s.Flags.has(flagInvalidate) {
		m.Time = timeInvalid
		return nil
	}
	if len(s.Body) < 8 {
		return invalid("body", len(s.Body))
	}
	m.Time = s.Flags.order().time(s.Body)
	return nil
}

// infoDst is the INFO_DST submessage: the participant to which the following submessages are addressed (8.3.7.7,
// 9.4.5.8). Its body is the 12-octet GUID prefix.
type infoDst struct {
	// Prefix is the participant, zero for any.
	Prefix GUIDPrefix
}

// Size returns how many bytes Append appends.
func (m infoDst) Size() int { return submessageHeaderSize + 12 }

// Append appends the submessage, little-endian, to dst.
func (m infoDst) Append(dst []byte) []byte {
	start := len(dst)
	return finishSub(append(appendSubHeader(dst, subInfoDst, 0), m.Prefix[:]...), start)
}

func (m *infoDst) decode(s *Submessage) error {
	if len(s.Body) < 12 {
		return invalid("body", len(s.Body))
	}
	m.Prefix = GUIDPrefix(s.Body[:12])
	return nil
}

// infoSrc is the INFO_SRC submessage: the participant that wrote the following submessages, if it is not the one in the
// header (8.3.7.9, 9.4.5.10).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|  INFO_SRC 0x0c|X X X X X X X E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                             unused                            |
//	+---------------+---------------+---------------+---------------+
//	|   ProtocolVersion version     |       VendorId vendor         |
//	+---------------+---------------+---------------+---------------+
//	|                     GuidPrefix, 12 octets                     |
//	+---------------+---------------+---------------+---------------+
type infoSrc struct {
	// Version is the protocol version of the author.
	Version ProtocolVersion
	// Vendor is the implementation of the author.
	Vendor VendorID
	// Prefix is the participant that wrote the following submessages.
	Prefix GUIDPrefix
}

// Size returns how many bytes Append appends.
func (m infoSrc) Size() int { return submessageHeaderSize + 20 }

// Append appends the submessage, little-endian, to dst.
func (m infoSrc) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendU32(appendSubHeader(dst, subInfoSrc, 0), 0)
	dst = append(dst, m.Version.major(), m.Version.minor(), byte(m.Vendor>>8), byte(m.Vendor))
	return finishSub(append(dst, m.Prefix[:]...), start)
}

func (m *infoSrc) decode(s *Submessage) error {
	b := s.Body
	if len(b) < 20 {
		return invalid("body", len(b))
	}
	m.Version = ProtocolVersion(bigEndian.u16(b[4:]))
	m.Vendor = VendorID(bigEndian.u16(b[6:]))
	m.Prefix = GUIDPrefix(b[8:20])
	return nil
}
