// SPDX-License-Identifier: Apache-2.0

package wire

// AckNack is the ACKNACK submessage: the samples that a reader acknowledges and requests (DDSI-RTPS 8.3.7.1, 9.4.5.2).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|  ACKNACK 0x06 |X X X X X X F E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	~                   SequenceNumberSet readerSNState             ~
//	+---------------+---------------+---------------+---------------+
//	|                           Count count                         |
//	+---------------+---------------+---------------+---------------+
type AckNack struct {
	// Reader is the sending reader.
	Reader EntityID
	// Writer is the addressed writer.
	Writer EntityID
	// State acknowledges all numbers below its base and requests those in it. A base of 0 arrives only in the
	// pre-emptive form; see Preemptive.
	State SequenceNumberSet
	// Count rises with each new ACKNACK of the reader to this writer.
	Count Count
	// Final means that the reader does not require a HEARTBEAT in response.
	Final bool
}

const ackNackFixed = 8 + 4 // entity ids and count

// Preemptive reports whether m only requests a HEARTBEAT: it acknowledges and requests no samples. Cyclone DDS (base 1)
// and Fast DDS (base 0) start a reliable exchange with such a message.
func (m *AckNack) Preemptive() bool { return m.State.Base <= 1 && m.State.Empty() && !m.Final }

// Size returns how many bytes Append appends.
func (m *AckNack) Size() int { return submessageHeaderSize + ackNackFixed + m.State.size() }

// Append appends the submessage, little-endian, to dst.
func (m *AckNack) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendSubHeader(dst, subAckNack, flagIf(m.Final, flagFinal))
	dst = appendEntity(appendEntity(dst, m.Reader), m.Writer)
	dst = m.State.append(dst)
	dst = appendU32(dst, uint32(m.Count))
	return finishSub(dst, start)
}

// decode decodes the body of s into m; vendor is the vendor of the source.
func (m *AckNack) decode(s *Submessage, vendor VendorID, strict bool) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < ackNackFixed {
		return invalid("body", len(b))
	}
	m.Reader, m.Writer, m.Final = entity(b), entity(b[4:]), s.Flags.has(flagFinal)
	n := m.State.decode(b[8:], o)
	if n == 0 || len(b) < ackNackFixed+n {
		return invalid("readerSNState", len(b))
	}
	if !m.State.Base.valid() && !quirkBaseZero(&m.State, vendor, strict) {
		return invalidSN("readerSNState.base", m.State.Base)
	}
	m.Count = Count(o.i32(b[8+n:]))
	return nil
}
