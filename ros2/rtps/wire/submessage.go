// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// SubmessageID is the kind of a submessage (DDSI-RTPS 9.4.5.1.1). Those from 0x80 on are vendor-specific.
type SubmessageID uint8

// Submessage kinds.
const (
	subPad           SubmessageID = 0x01
	subAckNack       SubmessageID = 0x06
	subHeartbeat     SubmessageID = 0x07
	subGap           SubmessageID = 0x08
	subInfoTS        SubmessageID = 0x09
	subInfoSrc       SubmessageID = 0x0c
	subInfoReplyIP4  SubmessageID = 0x0d
	subInfoDst       SubmessageID = 0x0e
	subInfoReply     SubmessageID = 0x0f
	subNackFrag      SubmessageID = 0x12
	subHeartbeatFrag SubmessageID = 0x13
	subData          SubmessageID = 0x15
	subDataFrag      SubmessageID = 0x16
)

// String returns the name in the specification, or the number in hex.
func (id SubmessageID) String() string {
	switch id {
	case subPad:
		return "PAD"
	case subAckNack:
		return "ACKNACK"
	case subHeartbeat:
		return "HEARTBEAT"
	case subGap:
		return "GAP"
	case subInfoTS:
		return "INFO_TS"
	case subInfoSrc:
		return "INFO_SRC"
	case subInfoReplyIP4:
		return "INFO_REPLY_IP4"
	case subInfoDst:
		return "INFO_DST"
	case subInfoReply:
		return "INFO_REPLY"
	case subNackFrag:
		return "NACK_FRAG"
	case subHeartbeatFrag:
		return "HEARTBEAT_FRAG"
	case subData:
		return "DATA"
	case subDataFrag:
		return "DATA_FRAG"
	}
	return fmt.Sprintf("submessage 0x%02x", uint8(id))
}

// Flags are the flags of a submessage; all but flagEndian depend on its kind.
type Flags uint8

// Flags of submessages (9.4.5).
const (
	flagEndian      Flags = 0x01 // all kinds: little-endian
	flagFinal       Flags = 0x02 // HEARTBEAT, ACKNACK: no answer needed
	flagLiveliness  Flags = 0x04 // HEARTBEAT: asserts liveliness
	flagInvalidate  Flags = 0x02 // INFO_TS: no timestamp follows
	flagInlineQoS   Flags = 0x02 // DATA, DATA_FRAG
	flagData        Flags = 0x04 // DATA: payload is a sample
	flagKey         Flags = 0x08 // DATA: payload is a key
	flagDataFragKey Flags = 0x04 // DATA_FRAG: payload is a key
)

func (f Flags) order() order { return order(f&flagEndian == 0) }

func (f Flags) has(bit Flags) bool { return f&bit != 0 }

// flagIf returns bit if on is true, else 0.
func flagIf(on bool, bit Flags) Flags {
	if on {
		return bit
	}
	return 0
}

// submessageHeaderSize is the size of a submessage header, bytes.
const submessageHeaderSize = 4

// Submessage is one submessage of a datagram, not decoded (9.4.5.1).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|      id       |     flags     | unsigned short octetsToNext   |
//	+---------------+---------------+---------------+---------------+
//	|                             body                              |
//	+---------------+---------------+---------------+---------------+
type Submessage struct {
	// ID is the kind.
	ID SubmessageID
	// Flags are the flags.
	Flags Flags
	// Offset is the position of the header in the datagram, bytes.
	Offset int
	// Body is the body after the header; it points into the datagram.
	Body []byte
}

// appendSubHeader appends a header; finishSub fills in its length.
func appendSubHeader(dst []byte, id SubmessageID, flags Flags) []byte {
	return append(dst, byte(id), byte(flags|flagEndian), 0, 0)
}

// finishSub pads the submessage that begins at start to four bytes and fills in its length. A submessage of more than
// 65535 bytes keeps the length 0, which means "to the end of the message", so it must be the last.
func finishSub(dst []byte, start int) []byte {
	dst = appendPad(dst, start)
	if n := len(dst) - start - submessageHeaderSize; n <= 0xffff {
		dst[start+2], dst[start+3] = byte(n), byte(n>>8)
	}
	return dst
}
