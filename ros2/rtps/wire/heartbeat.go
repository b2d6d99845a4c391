// SPDX-License-Identifier: Apache-2.0

package wire

// Heartbeat is the HEARTBEAT submessage: the samples that a writer has available (DDSI-RTPS 8.3.7.5, 9.4.5.6).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	| HEARTBEAT 0x07|X X X X X L F E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                SequenceNumber first (high, low)               |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|                SequenceNumber last (high, low)                |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|                           Count count                         |
//	+---------------+---------------+---------------+---------------+
type Heartbeat struct {
	// Reader is the addressed reader, EntityUnknown for all that match.
	Reader EntityID
	// Writer is the sending writer.
	Writer EntityID
	// First is the oldest available sample, at least 1.
	First SequenceNumber
	// Last is the newest; First-1 if the writer has none.
	Last SequenceNumber
	// Count rises with each new HEARTBEAT of the writer.
	Count Count
	// Final means that the writer does not require a response.
	Final bool
	// Liveliness means that the writer asserts its liveliness manually.
	Liveliness bool
}

const heartbeatFixed = 28

// Size returns how many bytes Append appends.
func (m *Heartbeat) Size() int { return submessageHeaderSize + heartbeatFixed }

// Append appends the submessage, little-endian, to dst.
func (m *Heartbeat) Append(dst []byte) []byte {
	dst, b := extend(dst, submessageHeaderSize+heartbeatFixed)
	putSubHeader(b, subHeartbeat,
		flagIf(m.Final, flagFinal)|flagIf(m.Liveliness, flagLiveliness))
	putEntities(b[4:], m.Reader, m.Writer)
	putSN(b[12:], m.First)
	putSN(b[20:], m.Last)
	putU32(b[28:], uint32(m.Count))
	return dst
}

// decode decodes the body of s into m. It ignores the group information that RTPS 2.3 may append.
func (m *Heartbeat) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < heartbeatFixed {
		return invalid("body", len(b))
	}
	*m = Heartbeat{
		Reader: entity(b), Writer: entity(b[4:]),
		First: o.sn(b[8:]), Last: o.sn(b[16:]), Count: Count(o.i32(b[24:])),
		Final: s.Flags.has(flagFinal), Liveliness: s.Flags.has(flagLiveliness),
	}
	if !m.First.valid() {
		return invalidSN("firstSN", m.First)
	}
	if m.Last < m.First-1 || m.Last > maxSequenceNumber {
		return invalidSN("lastSN", m.Last)
	}
	return nil
}
