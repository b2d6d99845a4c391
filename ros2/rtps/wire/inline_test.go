// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"testing"
)

// Identity of a request, in the two byte orders.
const (
	identityLE = `01100b0c 0d0e0f10 11121314 00000104 00000000 05000000 `
	identityBE = `01100b0c 0d0e0f10 11121314 00000104 00000000 00000005 `
)

var identityValue = SampleIdentity{Writer: GUID{otherPrefix, 0x104}, SN: 5}

func TestInlineQoS(t *testing.T) {
	related := InlineQoS{Related: identityValue, HasRelated: true}
	const older = `ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff `
	for _, tc := range []struct {
		name, list string
		bigEndian  bool
		want       InlineQoS
	}{
		{"nothing", `0100 0000`, false, InlineQoS{}},
		{"status is big-endian in either order", `7100 0400 00000003 0100 0000`, false,
			InlineQoS{Status: StatusDisposed | StatusUnregistered}},
		{"status in a big-endian list", `0071 0004 00000001 0001 0000`, true, InlineQoS{Status: StatusDisposed}},
		{"related, standard", `8300 1800` + identityLE + `0100 0000`, false, related},
		{"related, big-endian", `0083 0018` + identityBE + `0001 0000`, true, related},
		{"related, of Fast DDS before 2.10", `0f80 1800` + identityLE + `0100 0000`, false, related},
		{"both, the standard one first", `8300 1800` + identityLE + `0f80 1800` + older + `0100 0000`, false, related},
		{"both, the standard one last", `0f80 1800` + older + `8300 1800` + identityLE + `0100 0000`, false, related},
		{"0x800f of another vendor", `0f80 0400 01020304 0100 0000`, false, InlineQoS{}},
		{"related of unknown number", `0f80 1800 01100b0c 0d0e0f10 11121314 00000104 ffffffff 00000000 0100 0000`, false,
			InlineQoS{Related: SampleIdentity{identityValue.Writer, SequenceNumberUnknown}, HasRelated: true}},
		{"shared memory", `018e 1400 4000000000000000 0500000000000000 00100e00 0100 0000`, false,
			InlineQoS{Shared: SharedReference{Offset: 64, Number: 5, Length: 921_600}, HasShared: true}},
		{"0x8e01 of another vendor", `018e 0400 01020304 0100 0000`, false, InlineQoS{}},
		{"original writer", `6100 1c00` + identityLE + `01000000 0100 0000`, false,
			InlineQoS{Original: identityValue, HasOriginal: true}},
		{"key hash", `7000 1000 01100b0c 0d0e0f10 11121314 00000104 0100 0000`, false,
			InlineQoS{KeyHash: identityValue.Writer.Bytes(), HasKeyHash: true}},
		{"unknown ones", `0580 0400 00000000 5600 0800 00000000 01000000 0100 0000`, false, InlineQoS{}},
	} {
		l, err := ParseParameterList(unhex(t, tc.list), tc.bigEndian)
		if err != nil {
			t.Fatal(tc.name, err)
		}
		got := InlineQoS{Status: 99, HasKeyHash: true}
		if err := got.Decode(l); err != nil || got != tc.want {
			t.Errorf("%s: %+v, %v", tc.name, got, err)
		}
	}
}

func TestInlineQoSErrors(t *testing.T) {
	for _, tc := range []struct {
		name, list string
		want       error
	}{
		{"status empty", `7100 0000 0100 0000`, errParameter},
		{"key hash short", `7000 0c00 01100b0c 0d0e0f10 11121314 0100 0000`, errParameter},
		{"related short", `8300 1000 01100b0c 0d0e0f10 11121314 00000104 0100 0000`, errParameter},
		{"original short", `6100 0400 01100b0c 0100 0000`, errParameter},
		{"must understand", `0140 0400 00000000 0100 0000`, errMustUnderstand},
	} {
		l, err := ParseParameterList(unhex(t, tc.list), false)
		if err != nil {
			t.Fatal(tc.name, err)
		}
		var q InlineQoS
		if err := q.Decode(l); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestInlineQoSReply: a reply names its request under both numbers.
func TestInlineQoSReply(t *testing.T) {
	q := InlineQoS{Related: identityValue, HasRelated: true}
	want := unhex(t, `8300 1800`+identityLE+`0f80 1800`+identityLE+`0100 0000`)
	if got := q.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("% x", got)
	}
	buf := make([]byte, 0, 128)
	if n := testing.AllocsPerRun(10, func() { q.Append(buf) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
