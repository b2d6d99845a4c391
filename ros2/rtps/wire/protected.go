// SPDX-License-Identifier: Apache-2.0

package wire

// Submessages of DDS Security 1.1 (7.3.6), whose bodies package crypto knows.
const (
	SubmessageSecBody        SubmessageID = 0x30
	SubmessageSecPrefix      SubmessageID = 0x31
	SubmessageSecPostfix     SubmessageID = 0x32
	SubmessageMessagePrefix  SubmessageID = 0x33
	SubmessageMessagePostfix SubmessageID = 0x34
)

// IsEntity reports whether the submessage is one of a writer or reader. Others set values for those that follow.
func (s *Submessage) IsEntity() bool {
	switch s.ID {
	case subData, subDataFrag, subHeartbeat, subHeartbeatFrag, subGap, subAckNack, subNackFrag:
		return true
	}
	return false
}

// FromReader reports whether a reader sends such submessages.
func (s *Submessage) FromReader() bool { return s.ID == subAckNack || s.ID == subNackFrag }

// Entities returns the reader and the writer of an entity submessage. ok is false if its body is too short.
func (s *Submessage) Entities() (reader, writer EntityID, ok bool) {
	at := 0
	if s.ID == subData || s.ID == subDataFrag {
		at = 4 // after extraFlags and octetsToInlineQos
	}
	if len(s.Body) < at+8 {
		return 0, 0, false
	}
	return entity(s.Body[at:]), entity(s.Body[at+4:]), true
}

// HasPayload reports whether the submessage carries a serialized sample or key, or fragments of one.
func (s *Submessage) HasPayload() bool {
	return s.ID == subDataFrag || s.ID == subData && s.Flags&(flagData|flagKey) != 0
}

// PayloadAt returns where the payload of a DATA or DATA_FRAG begins in Body; ok is false if it is malformed.
func (s *Submessage) PayloadAt() (at int, ok bool) {
	fixed, to := dataFixed, dataToInlineQoS
	if s.ID == subDataFrag {
		fixed, to = dataFragFixed, dataFragToInlineQoS
	}
	if len(s.Body) < fixed {
		return 0, false
	}
	var list ParameterList
	rest, err := list.skipInline(s, to)
	return len(s.Body) - len(rest), err == nil
}

// IsInfoDst and IsInfoTS report whether the submessage sets the destination or the time, IsInfoSrc whether it sets the
// source, of which Prefix returns the participant.
func (s *Submessage) IsInfoDst() bool { return s.ID == subInfoDst }
func (s *Submessage) IsInfoTS() bool  { return s.ID == subInfoTS }
func (s *Submessage) IsInfoSrc() bool { return s.ID == subInfoSrc }

// Prefix returns the participant of an INFO_SRC or INFO_DST; ok is false if it is malformed.
func (s *Submessage) Prefix() (p GUIDPrefix, ok bool) {
	at := 0
	if s.ID == subInfoSrc {
		at = 8
	}
	if len(s.Body) < at+len(p) {
		return p, false
	}
	return GUIDPrefix(s.Body[at:]), true
}

// AppendInfoSrc appends the INFO_SRC that stands for the header of a protected message (DDS Security 1.1, 8.5.1.9.6).
func AppendInfoSrc(dst []byte, h Header) []byte {
	return infoSrc(h).Append(dst)
}
