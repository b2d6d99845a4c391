// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"testing"
)

var ackNackCases = []subCase{
	{
		name: "acknack",
		le:   `06 01 1c00 000003c7 000003c2 00000000 11000000 03000000 000000a0 05000000`,
		be:   `06 00 001c 000003c7 000003c2 00000000 00000011 00000003 a0000000 00000005`,
		want: &AckNack{Reader: EntityPublicationsReader, Writer: EntityPublicationsWriter, Count: 5,
			State: SequenceNumberSet{Base: 17, NumBits: 3, Bitmap: [8]uint32{0xa0000000}}},
	},
	{
		name: "acknack of everything, final",
		le:   `06 03 1800 00000104 00000203 00000000 11000000 00000000 06000000`,
		be:   `06 02 0018 00000104 00000203 00000000 00000011 00000000 00000006`,
		want: &AckNack{Reader: 0x104, Writer: 0x203, Count: 6, Final: true, State: SequenceNumberSet{Base: 17}},
	},
	{
		name: "acknack with two words",
		le:   `06 01 2000 00000104 00000203 00000000 01000000 28000000 01000080 00000001 07000000`,
		be:   `06 00 0020 00000104 00000203 00000000 00000001 00000028 80000001 01000000 00000007`,
		want: &AckNack{Reader: 0x104, Writer: 0x203, Count: 7,
			State: SequenceNumberSet{Base: 1, NumBits: 40, Bitmap: [8]uint32{0x80000001, 0x01000000}}},
	},
}

func TestAckNackInvalid(t *testing.T) {
	const ids = `06 01 1c00 00000104 00000203 `
	checkInvalid(t, []invalidCase{
		{"short", `06 01 0800 00000104 00000203`, "body 8"},
		{"no count", `06 01 1400 00000104 00000203 00000000 11000000 00000000`, "readerSNState"},
		{"257 bits", ids + `00000000 11000000 01010000 00000000 05000000`, "readerSNState"},
		{"huge number of bits", ids + `00000000 11000000 ffffffff 00000000 05000000`, "readerSNState"},
		{"words missing", ids + `00000000 11000000 41000000 00000000 05000000`, "readerSNState"},
		{"base 0", ids + `00000000 00000000 01000000 00000000 05000000`, "readerSNState.base 0"},
		{"base negative", ids + `ffffffff 00000000 01000000 00000000 05000000`, "readerSNState.base"},
		{"base too large", ids + `ffffff7f ffffffff 01000000 00000000 05000000`, "readerSNState.base"},
	})
}

// TestAckNackBaseZero: the pre-emptive form of Fast DDS and Connext.
func TestAckNackBaseZero(t *testing.T) {
	const empty = `06 01 1800 000003c7 000003c2 00000000 00000000 00000000 01000000`
	const asking = `06 01 1c00 000003c7 000003c2 00000000 00000000 01000000 00000080 01000000`
	for _, tc := range []struct {
		name   string
		vendor VendorID
		sub    string
		strict bool
		ok     bool
	}{
		{"Fast DDS", VendorEProsima, empty, false, true},
		{"Connext", VendorRTI, empty, false, true},
		{"Cyclone DDS", VendorCyclone, empty, false, false},
		{"unknown", 0x0177, empty, false, false},
		{"strict", VendorEProsima, empty, true, false},
		{"asks for 0", VendorEProsima, asking, false, false},
	} {
		b := message(t, tc.sub)
		b[6], b[7] = byte(tc.vendor>>8), byte(tc.vendor)
		p, c := Parser{Strict: tc.strict}, &collector{}
		err := p.Walk(b, c)
		if tc.ok != (err == nil) || !tc.ok && !errors.Is(err, errInvalid) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if tc.ok && !c.got[0].(*AckNack).Preemptive() {
			t.Errorf("%s: %+v is not pre-emptive", tc.name, c.got[0])
		}
	}
}

func TestAckNackPreemptive(t *testing.T) {
	for _, tc := range []struct {
		m    AckNack
		want bool
	}{
		{AckNack{State: SequenceNumberSet{Base: 1}}, true},
		{AckNack{State: SequenceNumberSet{Base: 1, NumBits: 1}}, true},
		{AckNack{State: SequenceNumberSet{Base: 1}, Final: true}, false},
		{AckNack{State: SequenceNumberSet{Base: 2}}, false},
		{AckNack{State: SequenceNumberSet{Base: 1, NumBits: 1, Bitmap: [8]uint32{1 << 31}}}, false},
	} {
		if got := tc.m.Preemptive(); got != tc.want {
			t.Errorf("%+v: %v", tc.m, got)
		}
	}
}
