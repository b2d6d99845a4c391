// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"
)

var dataFragCases = []subCase{
	{
		name: "one fragment in the middle",
		le: `16 01 2800 0000 1c00 00000104 00000203 00000000 05000000 02000000 0100 0800 1d000000
			1011121314151617`,
		be: `16 00 0028 0000 001c 00000104 00000203 00000000 00000005 00000002 0001 0008 0000001d
			1011121314151617`,
		want: &DataFrag{Reader: 0x104, Writer: 0x203, SN: 5, First: 2, Count: 1, FragmentSize: 8, SampleSize: 29,
			Payload: []byte{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17}},
	},
	{
		name: "two fragments, the last short, padded, as Cyclone DDS sends it",
		le: `16 01 3000 0000 1c00 00000000 00000203 00000000 05000000 03000000 0200 0800 1d000000
			1011121314151617 18191a1b1c000000`,
		be: `16 00 0030 0000 001c 00000000 00000203 00000000 00000005 00000003 0002 0008 0000001d
			1011121314151617 18191a1b1c000000`,
		want: &DataFrag{Writer: 0x203, SN: 5, First: 3, Count: 2, FragmentSize: 8, SampleSize: 29,
			Payload: []byte{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c}},
	},
	{
		name: "key with inline QoS",
		le: `16 07 4400 0000 1c00 00000104 00000203 00000000 05000000 01000000 0100 0400 08000000
			7000 1000 01020300000000000000000000000000 7100 0400 00000001 0100 0000 00010203`,
		be: `16 06 0044 0000 001c 00000104 00000203 00000000 00000005 00000001 0001 0004 00000008
			0070 0010 01020300000000000000000000000000 0071 0004 00000001 0001 0000 00010203`,
		want: &DataFrag{Reader: 0x104, Writer: 0x203, SN: 5, First: 1, Count: 1, FragmentSize: 4, SampleSize: 8,
			Key: true, InlineQoS: testList, Payload: []byte{0, 1, 2, 3}},
	},
}

func TestDataFragInvalid(t *testing.T) {
	const ids = `16 01 2800 0000 1c00 00000104 00000203 `
	const bytes8 = ` 1011121314151617`
	checkInvalid(t, []invalidCase{
		{"short", `16 01 1c00 0000 1c00 00000104 00000203 00000000 05000000 02000000 0100 0800`, "body 28"},
		{"number 0", ids + `00000000 00000000 02000000 0100 0800 1d000000` + bytes8, "writerSN"},
		{"sample of 0", ids + `00000000 05000000 02000000 0100 0800 00000000` + bytes8, "sampleSize"},
		{"fragments of 0", ids + `00000000 05000000 02000000 0100 0000 1d000000` + bytes8, "fragmentSize"},
		{"fragment 0", ids + `00000000 05000000 00000000 0100 0800 1d000000` + bytes8, "fragmentStartingNum"},
		{"fragment past the end", ids + `00000000 05000000 05000000 0100 0800 1d000000` + bytes8, "fragmentStartingNum"},
		{"no fragments", ids + `00000000 05000000 02000000 0000 0800 1d000000` + bytes8, "fragmentsInSubmessage"},
		{"too many fragments", ids + `00000000 05000000 02000000 0400 0800 1d000000` + bytes8, "fragmentsInSubmessage"},
		{"payload short", ids + `00000000 05000000 02000000 0200 0800 1d000000` + bytes8, "payload 8"},
		{"huge fragment number", ids + `00000000 05000000 ffffffff ffff ffff ffffffff` + bytes8, "fragmentStartingNum"},
		{"huge count", ids + `00000000 05000000 01000000 ffff ffff ffffffff` + bytes8, "payload 8"},
		{"octetsToInlineQos", `16 01 2800 0000 1000 00000104 00000203 00000000 05000000 02000000 0100 0800 1d000000` +
			bytes8, "octetsToInlineQos"},
	})
}

func TestFragmentCount(t *testing.T) {
	for _, tc := range []struct {
		size uint32
		frag uint16
		want uint32
	}{
		{1, 1344, 1}, {1344, 1344, 1}, {1345, 1344, 2}, {921648, 65384, 15}, {921648, 1344, 686},
		{0, 1344, 0}, {100, 0, 0}, {1<<32 - 1, 1, 1<<32 - 1}, {1<<32 - 1, 65535, 65537},
	} {
		if got := FragmentCount(tc.size, tc.frag); got != tc.want {
			t.Errorf("FragmentCount(%d, %d) = %d, want %d", tc.size, tc.frag, got, tc.want)
		}
	}
}

// TestDataFragWhole: a sample split into submessages of several fragments is reassembled from the decoded ones.
func TestDataFragWhole(t *testing.T) {
	sample := make([]byte, 10007)
	for i := range sample {
		sample[i] = byte(i * 31)
	}
	got := make([]byte, len(sample))
	const size, perSub = 100, 7
	total := FragmentNumber(FragmentCount(uint32(len(sample)), size))
	for first := FragmentNumber(1); first <= total; first += perSub {
		count := min(perSub, total-first+1)
		from := int(first-1) * size
		out := DataFrag{Writer: 0x203, SN: 9, First: first, Count: uint16(count), FragmentSize: size,
			SampleSize: uint32(len(sample)), Payload: sample[from:min(from+int(count)*size, len(sample))]}
		c, err := collect(out.Append(unhex(t, testHeader)))
		if err != nil {
			t.Fatal(err)
		}
		in := c.got[0].(*DataFrag)
		if in.Last() != first+count-1 || in.Total() != total {
			t.Errorf("last %d total %d", in.Last(), in.Total())
		}
		copy(got[in.offset():], in.Payload)
	}
	if !bytes.Equal(got, sample) {
		t.Error("the sample changed on its way")
	}
}
