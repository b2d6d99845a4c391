// SPDX-License-Identifier: Apache-2.0

package wire

import "testing"

var nackFragCases = []subCase{{
	name: "nack frag",
	le:   `12 01 2400 00000104 00000203 00000000 09000000 03000000 21000000 000000c0 00000080 02000000`,
	be:   `12 00 0024 00000104 00000203 00000000 00000009 00000003 00000021 c0000000 80000000 00000002`,
	want: &NackFrag{Reader: 0x104, Writer: 0x203, SN: 9, Count: 2,
		State: FragmentNumberSet{Base: 3, NumBits: 33, Bitmap: [8]uint32{0xc0000000, 0x80000000}}},
}}

func TestNackFragInvalid(t *testing.T) {
	const ids = `12 01 2000 00000104 00000203 `
	checkInvalid(t, []invalidCase{
		{"short", `12 01 1000 00000104 00000203 00000000 09000000`, "body 16"},
		{"number 0", ids + `00000000 00000000 03000000 01000000 00000080 02000000`, "writerSN 0"},
		{"base 0", ids + `00000000 09000000 00000000 01000000 00000080 02000000`, "fragmentNumberState"},
		{"base too large", ids + `00000000 09000000 00ffffff 01000000 00000080 02000000`, "fragmentNumberState"},
		{"257 bits", ids + `00000000 09000000 03000000 01010000 00000080 02000000`, "fragmentNumberState"},
		{"words missing", ids + `00000000 09000000 03000000 41000000 00000080 02000000`, "fragmentNumberState"},
		{"no count", `12 01 1c00 00000104 00000203 00000000 09000000 03000000 01000000 00000080`, "fragmentNumberState"},
	})
}
