// SPDX-License-Identifier: Apache-2.0

package wire

// DataFrag is the DATA_FRAG submessage: consecutive fragments of a sample too
// large for one datagram (DDSI-RTPS 8.3.7.3, 9.4.5.4).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	| DATA_FRAG 0x16|X X X X X K Q E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|      Flags extraFlags = 0     |   octetsToInlineQos = 28      |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                  SequenceNumber (high, low)                   |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|             FragmentNumber first fragment, from 1             |
//	+---------------+---------------+---------------+---------------+
//	| fragmentsInSubmessage         |        fragmentSize           |
//	+---------------+---------------+---------------+---------------+
//	|               unsigned long size of the sample                |
//	+---------------+---------------+---------------+---------------+
//	~               ParameterList inline QoS, if Q                  ~
//	+---------------+---------------+---------------+---------------+
//	~               fragments, the last of a sample may be short    ~
//	+---------------+---------------+---------------+---------------+
//
// Cyclone DDS puts up to ten fragments into one submessage, Fast DDS one.
type DataFrag struct {
	// Reader is the addressed reader, EntityUnknown for all that match.
	Reader EntityID
	// Writer is the writer of the sample.
	Writer EntityID
	// SN is the sequence number of the sample.
	SN SequenceNumber
	// First is the number of the first fragment in the submessage, from 1.
	First FragmentNumber
	// Count is the number of fragments in the submessage, at least 1.
	Count uint16
	// FragmentSize is the size of all fragments but the last, bytes.
	FragmentSize uint16
	// SampleSize is the size of the whole sample with its encapsulation
	// header, bytes.
	SampleSize uint32
	// InlineQoS is as in Data.
	InlineQoS ParameterList
	// Key means that the fragments are those of a key, not of a sample.
	Key bool
	// Payload is the bytes of the fragments. A received one has exactly the length that the numbers above imply.
	Payload []byte
}

const (
	dataFragFixed       = 32
	dataFragToInlineQoS = 28
)

// offset returns the position of Payload in the sample, bytes.
func (m *DataFrag) offset() uint32 { return uint32(m.First-1) * uint32(m.FragmentSize) }

// Last returns the number of the last fragment in the submessage.
func (m *DataFrag) Last() FragmentNumber { return m.First + FragmentNumber(m.Count) - 1 }

// Total returns how many fragments the sample has.
func (m *DataFrag) Total() FragmentNumber {
	return FragmentNumber(FragmentCount(m.SampleSize, m.FragmentSize))
}

// FragmentCount returns how many fragments of the given size a sample has.
func FragmentCount(sampleSize uint32, fragmentSize uint16) uint32 {
	if fragmentSize == 0 {
		return 0
	}
	n := sampleSize / uint32(fragmentSize)
	if sampleSize%uint32(fragmentSize) != 0 {
		n++
	}
	return n
}

// Size returns how many bytes Append appends.
func (m *DataFrag) Size() int {
	return align4(submessageHeaderSize + dataFragFixed + len(m.InlineQoS.sendable()) + len(m.Payload))
}

// Append appends the submessage, little-endian and padded, to dst.
func (m *DataFrag) Append(dst []byte) []byte {
	start := len(dst)
	qos := m.InlineQoS.sendable()
	dst = appendSubHeader(dst, subDataFrag,
		flagIf(len(qos) > 0, flagInlineQoS)|flagIf(m.Key, flagDataFragKey))
	dst = appendU16(appendU16(dst, 0), dataFragToInlineQoS)
	dst = appendEntity(appendEntity(dst, m.Reader), m.Writer)
	dst = appendSN(dst, m.SN)
	dst = appendU32(dst, uint32(m.First))
	dst = appendU16(appendU16(dst, m.Count), m.FragmentSize)
	dst = appendU32(dst, m.SampleSize)
	dst = append(dst, qos...)
	dst = append(dst, m.Payload...)
	return finishSub(dst, start)
}

// decode reads the body of s into m.
func (m *DataFrag) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < dataFragFixed {
		return invalid("body", len(b))
	}
	m.Reader, m.Writer, m.SN = entity(b[4:]), entity(b[8:]), o.sn(b[12:])
	m.First, m.Count, m.FragmentSize = FragmentNumber(o.u32(b[20:])), o.u16(b[24:]), o.u16(b[26:])
	m.SampleSize = o.u32(b[28:])
	m.Key = s.Flags.has(flagDataFragKey)
	if err := m.validate(); err != nil {
		return err
	}
	rest, err := m.InlineQoS.skipInline(s, dataFragToInlineQoS)
	if err != nil {
		return err
	}
	// Count*FragmentSize fits 32 bits; Offset+want does, as it ends within the
	// sample.
	want := min(uint32(m.Count)*uint32(m.FragmentSize), m.SampleSize-m.offset())
	if uint32(len(rest)) < want {
		return invalid("payload", len(rest))
	}
	m.Payload = rest[:want:want]
	return nil
}

// validate checks the numbers (8.3.7.3.3).
func (m *DataFrag) validate() error {
	switch {
	case !m.SN.valid():
		return invalidSN("writerSN", m.SN)
	case m.SampleSize == 0 || m.FragmentSize == 0:
		return invalid("sampleSize or fragmentSize", 0)
	case m.First == 0 || m.First > m.Total():
		return invalid("fragmentStartingNum", int(m.First))
	case m.Count == 0 || FragmentNumber(m.Count) > m.Total()-m.First+1:
		return invalid("fragmentsInSubmessage", int(m.Count))
	}
	return nil
}
