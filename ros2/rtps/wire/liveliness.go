// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// LivelinessMessageKind is the kind of liveliness that a ParticipantMessageData asserts (DDSI-RTPS 9.6.2.1).
type LivelinessMessageKind uint32

// Kinds of ParticipantMessageData.
const (
	LivelinessUpdateAutomatic LivelinessMessageKind = 0x00000001
	LivelinessUpdateManual    LivelinessMessageKind = 0x00000002
)

// ParticipantMessageData is the sample of the built-in topic of the Writer
// Liveliness Protocol (8.4.13, 9.6.2.1).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|                     GuidPrefix, 12 octets                     |
//	+---------------+---------------+---------------+---------------+
//	|                        octet kind[4]                          |
//	+---------------+---------------+---------------+---------------+
//	|                     unsigned long length                      |
//	+---------------+---------------+---------------+---------------+
//	~                             octets                            ~
//	+---------------+---------------+---------------+---------------+
type ParticipantMessageData struct {
	// Prefix is the participant that is alive.
	Prefix GUIDPrefix
	// Kind is the liveliness kind of the writers whose liveliness is asserted.
	Kind LivelinessMessageKind
	// Data is opaque; Cyclone DDS sends one zero byte.
	Data []byte
}

// AppendPayload appends the sample with its CDR_LE encapsulation to dst.
func (m *ParticipantMessageData) AppendPayload(dst []byte) []byte {
	dst = appendEncapsulation(dst, encapsulationCDRLE)
	dst = append(dst, m.Prefix[:]...)
	dst = append(dst, byte(m.Kind>>24), byte(m.Kind>>16), byte(m.Kind>>8), byte(m.Kind))
	return append(appendU32(dst, uint32(len(m.Data))), m.Data...)
}

// DecodeParticipantMessage decodes a payload; Data points into it.
func DecodeParticipantMessage(payload []byte) (ParticipantMessageData, error) {
	var m ParticipantMessageData
	e, b, err := splitPayload(payload)
	if err != nil {
		return m, err
	}
	if e != encapsulationCDRLE && e != encapsulationCDRBE {
		return m, fmt.Errorf("%w: 0x%04x is not plain CDR", errEncapsulation, uint16(e))
	}
	if len(b) < 20 {
		return m, fmt.Errorf("%w: participant message of %d bytes", errParameter, len(b))
	}
	n := order(e == encapsulationCDRBE).u32(b[16:])
	if n > uint32(len(b)-20) {
		return m, fmt.Errorf("%w: participant message data %d of %d bytes", errParameter, n, len(b)-20)
	}
	if n > maxLivelinessData {
		return m, fmt.Errorf("%w: participant message data of %d bytes", errLimit, n)
	}
	m.Prefix = GUIDPrefix(b[:12])
	m.Kind = LivelinessMessageKind(bigEndian.u32(b[12:]))
	m.Data = b[20 : 20+n : 20+n]
	return m, nil
}
