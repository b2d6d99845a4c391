// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"
)

// TestInfoGolden encodes the interpreter submessages, and decodes them in both
// byte orders.
func TestInfoGolden(t *testing.T) {
	src := infoSrc{Version: 0x0201, Vendor: VendorCyclone, Prefix: otherPrefix}
	for _, tc := range []struct {
		name   string
		le, be string
		m      appender
		check  func(r *Receiver) bool
	}{
		{"INFO_TS", `09 01 0800 0100f165 00000040`, `09 00 0008 65f10001 40000000`,
			infoTS{Time: 0x65f10001_40000000}, func(r *Receiver) bool { return r.Timestamp == 0x65f10001_40000000 }},
		{"INFO_TS without time", `09 03 0000`, `09 02 0000`,
			infoTS{Time: timeInvalid}, func(r *Receiver) bool { return r.Timestamp == timeInvalid }},
		{"INFO_DST", `0e 01 0c00` + otherPrefixHex, `0e 00 000c` + otherPrefixHex,
			infoDst{Prefix: otherPrefix}, func(r *Receiver) bool { return r.DestPrefix == otherPrefix }},
		{"INFO_SRC", `0c 01 1400 00000000 0201 0110` + otherPrefixHex, `0c 00 0014 00000000 0201 0110` + otherPrefixHex,
			src, func(r *Receiver) bool {
				return r.SourcePrefix == otherPrefix && r.SourceVendor == VendorCyclone && r.SourceVersion == 0x0201 &&
					r.Timestamp == timeInvalid
			}},
	} {
		want := unhex(t, tc.le)
		if got := tc.m.Append([]byte{0xaa}); !bytes.Equal(got[1:], want) || tc.m.Size() != len(want) {
			t.Errorf("%s: encoded (Size %d) % x", tc.name, tc.m.Size(), got[1:])
		}
		for _, form := range []string{tc.le, tc.be} {
			c, err := collect(message(t, form, heartbeatCases[0].le))
			if err != nil || !tc.check(&c.last) {
				t.Errorf("%s: %+v, %v", tc.name, c.last, err)
			}
		}
	}
}

// TestInfoSrcRelayed: a message that a bridge relays has the quirks of its
// author, not of the bridge.
func TestInfoSrcRelayed(t *testing.T) {
	const fromFast = `0c 01 1400 00000000 0203 010f 010f0000 00000000 00000001`
	const preemptive = `06 01 1800 000003c7 000003c2 00000000 00000000 00000000 01000000`
	if c, err := collect(message(t, fromFast, preemptive)); err != nil || len(c.got) != 1 {
		t.Errorf("%d handled, %v", len(c.got), err)
	}
	if c, err := collect(message(t, preemptive)); err == nil || len(c.got) != 0 {
		t.Errorf("%d handled, %v", len(c.got), err)
	}
}
