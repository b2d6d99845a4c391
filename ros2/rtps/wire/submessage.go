// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// SubmessageID is the kind of a submessage (DDSI-RTPS 9.4.5.1.1). From 0x80 on
// it belongs to the vendor.
type SubmessageID uint8

// Submessage kinds.
const (
	SubPad           SubmessageID = 0x01
	SubAckNack       SubmessageID = 0x06
	SubHeartbeat     SubmessageID = 0x07
	SubGap           SubmessageID = 0x08
	SubInfoTS        SubmessageID = 0x09
	SubInfoSrc       SubmessageID = 0x0c
	SubInfoReplyIP4  SubmessageID = 0x0d
	SubInfoDst       SubmessageID = 0x0e
	SubInfoReply     SubmessageID = 0x0f
	SubNackFrag      SubmessageID = 0x12
	SubHeartbeatFrag SubmessageID = 0x13
	SubData          SubmessageID = 0x15
	SubDataFrag      SubmessageID = 0x16
)

// IsVendorSpecific reports whether only the vendor of the message defines id.
func (id SubmessageID) IsVendorSpecific() bool { return id >= 0x80 }

// String returns the name in the specification, or the number in hex.
func (id SubmessageID) String() string {
	switch id {
	case SubPad:
		return "PAD"
	case SubAckNack:
		return "ACKNACK"
	case SubHeartbeat:
		return "HEARTBEAT"
	case SubGap:
		return "GAP"
	case SubInfoTS:
		return "INFO_TS"
	case SubInfoSrc:
		return "INFO_SRC"
	case SubInfoReplyIP4:
		return "INFO_REPLY_IP4"
	case SubInfoDst:
		return "INFO_DST"
	case SubInfoReply:
		return "INFO_REPLY"
	case SubNackFrag:
		return "NACK_FRAG"
	case SubHeartbeatFrag:
		return "HEARTBEAT_FRAG"
	case SubData:
		return "DATA"
	case SubDataFrag:
		return "DATA_FRAG"
	}
	return fmt.Sprintf("submessage 0x%02x", uint8(id))
}

// Flags are the flags of a submessage; all but FlagEndian depend on its kind.
type Flags uint8

// Flags of submessages (9.4.5).
const (
	FlagEndian      Flags = 0x01 // all: set means little-endian
	FlagFinal       Flags = 0x02 // HEARTBEAT, ACKNACK: no answer needed
	FlagLiveliness  Flags = 0x04 // HEARTBEAT: asserts liveliness
	FlagInvalidate  Flags = 0x02 // INFO_TS: no timestamp follows
	FlagInlineQoS   Flags = 0x02 // DATA, DATA_FRAG
	FlagData        Flags = 0x04 // DATA: payload is a sample
	FlagKey         Flags = 0x08 // DATA: payload is a key
	FlagDataFragKey Flags = 0x04 // DATA_FRAG: payload is a key
)

func (f Flags) order() order { return order(f&FlagEndian == 0) }

func (f Flags) has(bit Flags) bool { return f&bit != 0 }

// flagIf returns bit if on.
func flagIf(on bool, bit Flags) Flags {
	if on {
		return bit
	}
	return 0
}

// SubmessageHeaderSize is the size of a submessage header, bytes.
const SubmessageHeaderSize = 4

// Submessage is one submessage as it lies in a datagram (9.4.5.1).
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
	// Body is what follows the header; it points into the datagram.
	Body []byte
}

// appendSubHeader appends a header whose length finishSub fills in.
func appendSubHeader(dst []byte, id SubmessageID, flags Flags) []byte {
	return append(dst, byte(id), byte(flags|FlagEndian), 0, 0)
}

// finishSub pads the submessage that starts at start to four bytes and fills
// in its length. One of more than 65535 bytes keeps the length 0, which means
// "to the end of the message", so it must be the last.
func finishSub(dst []byte, start int) []byte {
	dst = appendPad(dst, start)
	if n := len(dst) - start - SubmessageHeaderSize; n <= 0xffff {
		dst[start+2], dst[start+3] = byte(n), byte(n>>8)
	}
	return dst
}
