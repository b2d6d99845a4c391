// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"testing"
)

func TestScanner(t *testing.T) {
	for _, tc := range []struct {
		name string
		subs string
		ids  []SubmessageID
		err  error
	}{
		{"nothing", "", nil, nil},
		{"two", `01 01 0400 00000000 09 03 0000`, []SubmessageID{subPad, subInfoTS}, nil},
		{"length 0 of the last is the rest", `0e 01 0000 01020304 05060708 090a0b0c`, []SubmessageID{subInfoDst}, nil},
		{"length 0 of PAD is 0", `01 01 0000 80 01 0000 01020304`, []SubmessageID{subPad, 0x80}, nil},
		{"odd length of the last", `80 01 0500 01020304 05`, []SubmessageID{0x80}, nil},
		{"big-endian length", `80 00 0004 01020304`, []SubmessageID{0x80}, nil},
		{"too long", `01 01 0000 80 01 0800 01020304`, []SubmessageID{subPad}, ErrTruncated},
		{"half a header", `01 01 0000 80 01 08`, []SubmessageID{subPad}, ErrTruncated},
	} {
		b := message(t, tc.subs)
		s, used := NewScanner(b), HeaderSize
		var ids []SubmessageID
		for s.Next() {
			sub := s.Submessage()
			if sub.Offset != used {
				t.Errorf("%s: offset %d, want %d", tc.name, sub.Offset, used)
			}
			used += submessageHeaderSize + len(sub.Body)
			ids = append(ids, sub.ID)
		}
		if string(subIDs(ids)) != string(subIDs(tc.ids)) || !errors.Is(s.Err(), tc.err) {
			t.Errorf("%s: %v, %v", tc.name, ids, s.Err())
		}
		if tc.err == nil && used != len(b) {
			t.Errorf("%s: %d of %d bytes", tc.name, used, len(b))
		}
		if s.Next() {
			t.Errorf("%s: continues after its end", tc.name)
		}
	}
}

func subIDs(ids []SubmessageID) (b []byte) {
	for _, id := range ids {
		b = append(b, byte(id))
	}
	return b
}

func TestSubmessageIDString(t *testing.T) {
	for id, want := range map[SubmessageID]string{
		subPad: "PAD", subAckNack: "ACKNACK", subHeartbeat: "HEARTBEAT", subGap: "GAP", subInfoTS: "INFO_TS",
		subInfoSrc: "INFO_SRC", subInfoReplyIP4: "INFO_REPLY_IP4", subInfoDst: "INFO_DST",
		subInfoReply: "INFO_REPLY", subNackFrag: "NACK_FRAG", subHeartbeatFrag: "HEARTBEAT_FRAG",
		subData: "DATA", subDataFrag: "DATA_FRAG", 0x80: "submessage 0x80",
	} {
		if id.String() != want {
			t.Errorf("%v, want %s", id, want)
		}
		if id.isVendorSpecific() != (id == 0x80) {
			t.Errorf("%v vendor-specific: %v", id, id.isVendorSpecific())
		}
	}
}

func TestSubmessageError(t *testing.T) {
	err := error(&submessageError{ID: subGap, Offset: 20, Err: invalid("body", 3)})
	if !errors.Is(err, errInvalid) || err.Error() != "GAP at byte 20: invalid submessage: body 3" {
		t.Error(err)
	}
}
