// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestParameterList(t *testing.T) {
	for _, tc := range []struct {
		name      string
		bytes     string
		bigEndian bool
	}{
		{"little-endian", `7100 0400 00000003 0000 0400 ffffffff 0580 0000 0100 abcd deadbeef`, false},
		{"big-endian", `0071 0004 00000003 0000 0004 ffffffff 8005 0000 0001 abcd deadbeef`, true},
	} {
		b := unhex(t, tc.bytes)
		l, err := ParseParameterList(b, tc.bigEndian)
		if err != nil || len(l.Bytes) != len(b)-4 || l.Empty() {
			t.Fatalf("%s: %d bytes, %v", tc.name, len(l.Bytes), err)
		}
		var got []parameterID
		for p := range l.all { // without PAD
			got = append(got, p.ID)
		}
		if len(got) != 2 || got[0] != pidStatusInfo || got[1] != 0x8005 || !got[1].isVendorSpecific() || got[1].mustUnderstand() {
			t.Errorf("%s: %x", tc.name, got)
		}
		if p, ok := l.find(pidStatusInfo); !ok || !bytes.Equal(p.Value, []byte{0, 0, 0, 3}) {
			t.Errorf("%s: %+v, %v", tc.name, p, ok)
		}
		if _, ok := l.find(pidKeyHash); ok {
			t.Errorf("%s: found what is not there", tc.name)
		}
	}
}

func TestParameterListErrors(t *testing.T) {
	many := bytes.Repeat([]byte{5, 0x80, 0, 0}, maxParameters+1)
	long := append(bytes.Repeat(append([]byte{5, 0x80, 0, 0x80}, make([]byte, 0x8000)...), 3), 1, 0, 0, 0)
	for _, tc := range []struct {
		name string
		list []byte
		want error
	}{
		{"empty", nil, ErrParameterList},
		{"no sentinel", unhex(t, `7100 0400 00000003`), ErrParameterList},
		{"half a header", unhex(t, `7100 0400 00000003 01`), ErrParameterList},
		{"length beyond the end", unhex(t, `7100 0800 00000003`), ErrParameterList},
		{"length not of four", unhex(t, `7100 0200 0003 0100 0000`), ErrParameterList},
		{"too many parameters", many, errLimit},
		{"too long", long, errLimit},
	} {
		if _, err := ParseParameterList(tc.list, false); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestPayloadList(t *testing.T) {
	for _, tc := range []struct {
		payload string
		want    error
	}{
		{`00030000 0100 0000`, nil},
		{`00020000 0001 0000`, nil},
		{`00010000 0100 0000`, errEncapsulation},
		{`000a0000 0100 0000`, errEncapsulation},
		{`0003`, errEncapsulation},
		{`00030000 0001 0000`, ErrParameterList},
	} {
		l, err := ParsePayloadList(unhex(t, tc.payload))
		if !errors.Is(err, tc.want) || err == nil && l.BigEndian != (tc.payload[3] == '2') {
			t.Errorf("%s: %+v, %v", tc.payload, l, err)
		}
	}
}

// TestParameterListUnchecked: iteration over unchecked bytes ends.
func TestParameterListUnchecked(t *testing.T) {
	l := ParameterList{Bytes: unhex(t, `7100 0400 00000003 7000 1000 0102`)}
	n := 0
	for range l.all {
		n++
	}
	if n != 1 {
		t.Errorf("%d parameters", n)
	}
}

func TestAppendParameter(t *testing.T) {
	got := appendSentinel(appendParameter(nil, pidVendorID, []byte{1, 2, 3, 4, 5}))
	if want := unhex(t, `1600 0800 01020304 05000000 0100 0000`); !bytes.Equal(got, want) {
		t.Errorf("% x", got)
	}
	if got := appendParameter(nil, pidUserData, make([]byte, 0xfffd)); len(got) != 0 {
		t.Errorf("%d bytes for what no list can hold", len(got))
	}
	if got := appendStringParameter([]byte{9}, pidEntityName, string(make([]byte, 0x10000))); len(got) != 1 {
		t.Errorf("%d bytes for what no list can hold", len(got))
	}
}

// TestParamReader: the reader of values stops at the first error.
func TestParamReader(t *testing.T) {
	r := parameter{Value: []byte{1, 0, 0, 0}}.reader()
	if r.u32() != 1 || r.err != nil {
		t.Error(r.err)
	}
	if r.u32() != 0 || r.duration() != 0 || !r.guid().IsZero() || r.str() != "" || r.boolean() ||
		r.version() != 0 || r.count(4, 4) != 0 || r.locator(nil) != nil || !errors.Is(r.err, errParameter) {
		t.Error(r.err)
	}
	for _, tc := range []struct {
		hex, want string
		err       error
	}{
		{`03000000 61620000`, "ab", nil},
		{`02000000 61620000`, "ab", nil}, // without its NUL
		{`00000000`, "", nil},
		{`01000000 00000000`, "", nil},
		{`09000000 61620000`, "", errParameter},
		{`ffffffff 61620000`, "", errLimit},
		{`02040000 61620000`, "", errLimit},
		{`01040000` + strings.Repeat("61", 1025), "", errLimit},
		{`01040000` + strings.Repeat("61", 1024) + "00", strings.Repeat("a", 1024), nil},
	} {
		r := parameter{Value: unhex(t, tc.hex)}.reader()
		if got := r.str(); got != tc.want || !errors.Is(r.err, tc.err) {
			t.Errorf("%s: %q, %v", tc.hex, got, r.err)
		}
	}
}
