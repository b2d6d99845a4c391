// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// ParameterList is a checked list of parameters that ends with a sentinel
// (DDSI-RTPS 8.3.5.9, 9.4.2.11). The zero value is the absent list.
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|      short parameterId        |  short length, multiple of 4  |
//	+---------------+---------------+---------------+---------------+
//	~                            value                              ~
//	+---------------+---------------+---------------+---------------+
//	~                              …                                ~
//	+---------------+---------------+---------------+---------------+
//	|       PID_SENTINEL 1          |            ignored            |
//	+---------------+---------------+---------------+---------------+
type ParameterList struct {
	// Bytes is the list with its sentinel; it points into the datagram.
	Bytes []byte
	// BigEndian is the byte order of list and values.
	BigEndian bool
}

// parameter is one element of a ParameterList.
type parameter struct {
	// ID identifies the parameter.
	ID parameterID
	// Value is the value; its length is a multiple of four.
	Value []byte

	order order
}

// ParseParameterList checks the list at the start of b and returns it up to its sentinel. It fails with
// [ErrParameterList] if the list is malformed, and if it is longer than [MaxParameterListSize] or has too many
// parameters.
func ParseParameterList(b []byte, bigEndian bool) (ParameterList, error) {
	n, err := parameterListSize(b, order(bigEndian))
	if err != nil {
		return ParameterList{}, err
	}
	return ParameterList{Bytes: b[:n:n], BigEndian: bigEndian}, nil
}

// ParsePayloadList checks the list in a discovery payload with encapsulation PL_CDR_LE or PL_CDR_BE. It fails if the
// encapsulation is missing or another one (the error names its number), and as [ParseParameterList] does.
func ParsePayloadList(payload []byte) (ParameterList, error) {
	if len(payload) < encapsulationSize {
		return ParameterList{}, fmt.Errorf("%w: payload of %d bytes", errEncapsulation, len(payload))
	}
	switch e := encapsulation(bigEndian.u16(payload)); e {
	case encapsulationPLCDRLE, encapsulationPLCDRBE:
		return ParseParameterList(payload[encapsulationSize:], e == encapsulationPLCDRBE)
	default:
		return ParameterList{}, fmt.Errorf("%w: 0x%04x is not a parameter list", errEncapsulation, uint16(e))
	}
}

// parameterListSize validates the list at the start of b and returns its size
// with the sentinel, bytes.
func parameterListSize(b []byte, o order) (int, error) {
	off := 0
	for count := 0; ; count++ {
		if len(b)-off < 4 {
			return 0, fmt.Errorf("%w: no sentinel in %d bytes", ErrParameterList, len(b))
		}
		id, n := parameterID(o.u16(b[off:])), int(o.u16(b[off+2:]))
		off += 4
		switch {
		case id == pidSentinel:
			return off, nil
		case n%4 != 0:
			return 0, fmt.Errorf("%w: parameter 0x%04x of %d bytes", ErrParameterList, uint16(id), n)
		case n > len(b)-off:
			return 0, fmt.Errorf("%w: parameter 0x%04x of %d bytes, %d left", ErrParameterList, uint16(id), n, len(b)-off)
		case off+n > MaxParameterListSize || count >= maxParameters:
			return 0, fmt.Errorf("%w: parameter list", errLimit)
		}
		off += n
	}
}

// all yields each parameter except PAD.
func (l ParameterList) all(yield func(p parameter) bool) {
	o := order(l.BigEndian)
	for b := l.Bytes; len(b) >= 4; {
		p := parameter{ID: parameterID(o.u16(b)), order: o}
		n := int(o.u16(b[2:]))
		if p.ID == pidSentinel || n > len(b)-4 {
			return
		}
		p.Value = b[4 : 4+n : 4+n]
		if p.ID != pidPad && !yield(p) {
			return
		}
		b = b[4+n:]
	}
}

// find returns the first parameter with an id.
func (l ParameterList) find(id parameterID) (parameter, bool) {
	for p := range l.all {
		if p.ID == id {
			return p, true
		}
	}
	return parameter{}, false
}

// Empty reports whether the list is absent.
func (l ParameterList) Empty() bool { return len(l.Bytes) == 0 }

// sendable returns the bytes of a little-endian list, and nil for a big-endian one.
func (l ParameterList) sendable() []byte {
	if l.BigEndian {
		return nil
	}
	return l.Bytes
}

// skipInline parses the inline QoS of a DATA or DATA_FRAG, if there are any, and returns the rest of the body. fixed is
// the octetsToInlineQos without extensions.
func (l *ParameterList) skipInline(s *Submessage, fixed int) (rest []byte, err error) {
	*l = ParameterList{}
	o := s.Flags.order()
	skip := int(o.u16(s.Body[2:]))
	if skip < fixed || skip > len(s.Body)-inlineQoSReference {
		return nil, invalid("octetsToInlineQos", skip)
	}
	rest = s.Body[inlineQoSReference+skip:]
	if !s.Flags.has(flagInlineQoS) {
		return rest, nil
	}
	n, err := parameterListSize(rest, o)
	if err != nil {
		return nil, fmt.Errorf("%w: inline QoS: %w", errInvalid, err)
	}
	*l = ParameterList{Bytes: rest[:n:n], BigEndian: bool(o)}
	return rest[n:], nil
}
