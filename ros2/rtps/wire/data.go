// SPDX-License-Identifier: Apache-2.0

package wire

// PayloadKind is the kind of a Data's payload.
type PayloadKind uint8

// Payload kinds.
const (
	PayloadNone PayloadKind = iota // no payload: only inline QoS
	PayloadData                    // a serialized sample
	PayloadKey                     // a serialized key: dispose or unregister
)

// Data is the DATA submessage: one sample of a writer (DDSI-RTPS 8.3.7.2,
// 9.4.5.3).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|  DATA 0x15    |X X X X K D Q E|      octetsToNextHeader       |
//	+---------------+---------------+---------------+---------------+
//	|      Flags extraFlags = 0     |   octetsToInlineQos = 16      |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId reader                        |
//	+---------------+---------------+---------------+---------------+
//	|                        EntityId writer                        |
//	+---------------+---------------+---------------+---------------+
//	|                  SequenceNumber (high, low)                   |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	~               ParameterList inline QoS, if Q                  ~
//	+---------------+---------------+---------------+---------------+
//	~               payload with encapsulation, if D or K           ~
//	+---------------+---------------+---------------+---------------+
type Data struct {
	// Reader is the addressed reader, EntityUnknown for all that match.
	Reader EntityID
	// Writer is the writer of the sample.
	Writer EntityID
	// SN is the sequence number of the sample, at least 1.
	SN SequenceNumber
	// InlineQoS is the list before the payload, empty if there is none. Append omits a big-endian one.
	InlineQoS ParameterList
	// Kind is the kind of the payload.
	Kind PayloadKind
	// Payload is the sample or key with its 4-byte encapsulation header. A received one includes the padding to four
	// bytes.
	Payload []byte
}

const (
	dataFixed          = 20 // body before inline QoS and payload
	dataToInlineQoS    = 16
	inlineQoSReference = 4 // octetsToInlineQos counts from the byte after it
	encapsulationSize  = 4
)

// Size returns how many bytes Append appends.
func (m *Data) Size() int {
	n := submessageHeaderSize + dataFixed + len(m.InlineQoS.sendable())
	if m.Kind != PayloadNone {
		n += len(m.Payload)
	}
	return align4(n)
}

// Append appends the submessage, little-endian and padded, to dst.
func (m *Data) Append(dst []byte) []byte {
	start := len(dst)
	qos := m.InlineQoS.sendable()
	flags := flagIf(len(qos) > 0, flagInlineQoS) |
		flagIf(m.Kind == PayloadData, flagData) | flagIf(m.Kind == PayloadKey, flagKey)
	dst, b := extend(dst, submessageHeaderSize+dataFixed)
	putSubHeader(b[:submessageHeaderSize], subData, flags) // finishSub puts the length
	putU32(b[4:], dataToInlineQoS<<16)
	putEntities(b[8:], m.Reader, m.Writer)
	putSN(b[16:], m.SN)
	if len(qos) > 0 {
		dst = append(dst, qos...)
	}
	if m.Kind != PayloadNone {
		dst = append(dst, m.Payload...)
	}
	return finishSub(dst, start)
}

// decode reads the body of s into m.
func (m *Data) decode(s *Submessage) error {
	o, b := s.Flags.order(), s.Body
	if len(b) < dataFixed {
		return invalid("body", len(b))
	}
	if s.Flags.has(flagData) && s.Flags.has(flagKey) {
		return invalid("flags D and K", int(s.Flags))
	}
	m.Reader, m.Writer, m.SN = entity(b[4:]), entity(b[8:]), o.sn(b[12:])
	if !m.SN.valid() {
		return invalidSN("writerSN", m.SN)
	}
	rest, err := m.InlineQoS.skipInline(s, dataToInlineQoS)
	if err != nil {
		return err
	}
	m.Kind, m.Payload = PayloadNone, nil
	switch {
	case s.Flags.has(flagData):
		m.Kind = PayloadData
	case s.Flags.has(flagKey):
		m.Kind = PayloadKey
	default:
		return nil
	}
	if len(rest) < encapsulationSize {
		return invalid("payload", len(rest))
	}
	m.Payload = rest
	return nil
}
