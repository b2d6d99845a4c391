// SPDX-License-Identifier: Apache-2.0

package wire

// NackFrag is the NACK_FRAG submessage: the fragments of a sample that a reader requests (DDSI-RTPS 8.3.7.11,
// 9.4.5.13).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	| NACK_FRAG 0x12|X X X X X X X E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                  SequenceNumber (high, low)                   |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	~              FragmentNumberSet fragmentNumberState            ~
//	+---------------+---------------+---------------+---------------+
//	|                           Count count                         |
//	+---------------+---------------+---------------+---------------+
type NackFrag struct {
	// Reader is the sending reader.
	Reader EntityID
	// Writer is the addressed writer.
	Writer EntityID
	// SN is the sequence number of the incomplete sample.
	SN SequenceNumber
	// State is the set of missing fragments, base at least 1.
	State FragmentNumberSet
	// Count rises with each new NACK_FRAG of the reader to this writer.
	Count Count
}

const nackFragFixed = 16 + 4 // entity ids and number, count

// Size returns how many bytes Append appends.
func (m *NackFrag) Size() int { return submessageHeaderSize + nackFragFixed + m.State.size() }

// Append appends the submessage, little-endian, to dst.
func (m *NackFrag) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendSubHeader(dst, subNackFrag, 0)
	dst = appendEntity(appendEntity(dst, m.Reader), m.Writer)
	dst = appendSN(dst, m.SN)
	dst = m.State.append(dst)
	dst = appendU32(dst, uint32(m.Count))
	return finishSub(dst, start)
}

// decode reads the body of s into m.
func (m *NackFrag) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < nackFragFixed {
		return invalid("body", len(b))
	}
	m.Reader, m.Writer, m.SN = entity(b), entity(b[4:]), o.sn(b[8:])
	if !m.SN.valid() {
		return invalidSN("writerSN", m.SN)
	}
	n := m.State.decode(b[16:], o)
	if n == 0 || len(b) < nackFragFixed+n || m.State.Base == 0 {
		return invalid("fragmentNumberState", len(b))
	}
	m.Count = Count(o.i32(b[16+n:]))
	return nil
}
