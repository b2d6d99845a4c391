// SPDX-License-Identifier: Apache-2.0

package wire

// HeartbeatFrag is the HEARTBEAT_FRAG submessage: the fragments of a sample that can be requested already (DDSI-RTPS
// 8.3.7.6, 9.4.5.7). Cyclone DDS sends one after each datagram of a fragmented reliable sample.
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|HEARTBEAT_FRAG |X X X X X X X E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                  SequenceNumber (high, low)                   |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|                   FragmentNumber lastFragment                 |
//	+---------------+---------------+---------------+---------------+
//	|                           Count count                         |
//	+---------------+---------------+---------------+---------------+
type HeartbeatFrag struct {
	// Reader is the addressed reader, EntityUnknown for all that match.
	Reader EntityID
	// Writer is the sending writer.
	Writer EntityID
	// SN is the sequence number of the sample.
	SN SequenceNumber
	// Last is the last fragment available, at least 1.
	Last FragmentNumber
	// Count rises with each new HEARTBEAT_FRAG of the writer.
	Count Count
}

const heartbeatFragFixed = 24

// Size returns how many bytes Append appends.
func (m *HeartbeatFrag) Size() int { return submessageHeaderSize + heartbeatFragFixed }

// Append appends the submessage, little-endian, to dst.
func (m *HeartbeatFrag) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendSubHeader(dst, subHeartbeatFrag, 0)
	dst = appendEntity(appendEntity(dst, m.Reader), m.Writer)
	dst = appendSN(dst, m.SN)
	dst = appendU32(appendU32(dst, uint32(m.Last)), uint32(m.Count))
	return finishSub(dst, start)
}

// decode reads the body of s into m.
func (m *HeartbeatFrag) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < heartbeatFragFixed {
		return invalid("body", len(b))
	}
	*m = HeartbeatFrag{
		Reader: entity(b), Writer: entity(b[4:]), SN: o.sn(b[8:]),
		Last: FragmentNumber(o.u32(b[16:])), Count: Count(o.i32(b[20:])),
	}
	if !m.SN.valid() {
		return invalidSN("writerSN", m.SN)
	}
	if m.Last == 0 {
		return invalid("lastFragmentNum", 0)
	}
	return nil
}
