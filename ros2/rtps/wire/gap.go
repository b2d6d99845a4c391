// SPDX-License-Identifier: Apache-2.0

package wire

// Gap is the GAP submessage: sequence numbers that are irrelevant to a reader (DDSI-RTPS 8.3.7.4, 9.4.5.5).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|    GAP 0x08   |X X X X X X X E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                SequenceNumber start (high, low)               |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	~                     SequenceNumberSet list                    ~
//	+---------------+---------------+---------------+---------------+
type Gap struct {
	// Reader is the addressed reader, EntityUnknown for all that match.
	Reader EntityID
	// Writer is the sending writer.
	Writer EntityID
	// Start is the first irrelevant number; [Start, List.Base) all are.
	Start SequenceNumber
	// List holds further irrelevant numbers. Its base is not below Start.
	List SequenceNumberSet
}

const gapFixed = 16

// NewGap returns a GAP for the numbers from first to last.
func NewGap(reader, writer EntityID, first, last SequenceNumber) Gap {
	return Gap{Reader: reader, Writer: writer, Start: first, List: SequenceNumberSet{Base: last + 1}}
}

// Intervals yields the intervals of irrelevant numbers in rising order. An interval may be of any length: do not loop
// over its numbers.
func (m *Gap) Intervals(yield func(first, last SequenceNumber) bool) {
	from, to := m.Start, m.List.Base-1 // empty if to < from
	for first, last := range m.List.Intervals {
		if first == to+1 {
			to = last
			continue
		}
		if to >= from && !yield(from, to) {
			return
		}
		from, to = first, last
	}
	if to >= from {
		yield(from, to)
	}
}

// Size returns how many bytes Append appends.
func (m *Gap) Size() int { return submessageHeaderSize + gapFixed + m.List.size() }

// Append appends the submessage, little-endian, to dst.
func (m *Gap) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendSubHeader(dst, subGap, 0)
	dst = appendEntity(appendEntity(dst, m.Reader), m.Writer)
	dst = appendSN(dst, m.Start)
	dst = m.List.append(dst)
	return finishSub(dst, start)
}

// decode decodes the body of s into m. It ignores the group information that RTPS 2.3 may append.
func (m *Gap) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < gapFixed {
		return invalid("body", len(b))
	}
	m.Reader, m.Writer, m.Start = entity(b), entity(b[4:]), o.sn(b[8:])
	if !m.Start.valid() {
		return invalidSN("gapStart", m.Start)
	}
	if m.List.decode(b[16:], o) == 0 {
		return invalid("gapList", len(b))
	}
	if !m.List.Base.valid() || m.List.Base < m.Start {
		return invalidSN("gapList.base", m.List.Base)
	}
	return nil
}
