// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var gapCases = []subCase{
	{
		name: "gap",
		le:   `08 01 2000 00000104 00000203 00000000 02000000 00000000 05000000 04000000 00000050`,
		be:   `08 00 0020 00000104 00000203 00000000 00000002 00000000 00000005 00000004 50000000`,
		want: &Gap{Reader: 0x104, Writer: 0x203, Start: 2,
			List: SequenceNumberSet{Base: 5, NumBits: 4, Bitmap: [8]uint32{0x50000000}}},
	},
	{
		name: "gap over a huge range",
		le:   `08 01 1c00 00000104 00000203 00000000 01000000 ffffff00 00000000 00000000`,
		be:   `08 00 001c 00000104 00000203 00000000 00000001 00ffffff 00000000 00000000`,
		want: &Gap{Reader: 0x104, Writer: 0x203, Start: 1, List: SequenceNumberSet{Base: 0x00ffffff << 32}},
	},
}

func TestGapInvalid(t *testing.T) {
	const ids = `08 01 2000 00000104 00000203 `
	checkInvalid(t, []invalidCase{
		{"short", `08 01 0c00 00000104 00000203 00000000`, "body 12"},
		{"no list", `08 01 1000 00000104 00000203 00000000 01000000`, "gapList"},
		{"start 0", ids + `00000000 00000000 00000000 05000000 04000000 00000050`, "gapStart 0"},
		{"list before start", ids + `00000000 06000000 00000000 05000000 04000000 00000050`, "gapList.base 5"},
		{"base too large", ids + `00000000 06000000 ffffff7f ffffffff 04000000 00000050`, "gapList.base"},
		{"257 bits", ids + `00000000 02000000 00000000 05000000 01010000 00000050`, "gapList"},
		{"words missing", ids + `00000000 02000000 00000000 05000000 21000000 00000050`, "gapList"},
	})
}

func TestGapIntervals(t *testing.T) {
	type interval struct{ First, Last SequenceNumber }
	for _, tc := range []struct {
		name string
		gap  Gap
		want []interval
	}{
		{"range", NewGap(0, 0, 3, 9), []interval{{3, 9}}},
		{"huge range", NewGap(0, 0, 1, 1<<60), []interval{{1, 1 << 60}}},
		{"bits only", Gap{Start: 5, List: SequenceNumberSet{Base: 5, NumBits: 4, Bitmap: [8]uint32{0x50000000}}},
			[]interval{{6, 6}, {8, 8}}},
		{"range and bits", Gap{Start: 2, List: SequenceNumberSet{Base: 5, NumBits: 4, Bitmap: [8]uint32{0x50000000}}},
			[]interval{{2, 4}, {6, 6}, {8, 8}}},
		{"bits continue the range", Gap{Start: 2, List: SequenceNumberSet{Base: 5, NumBits: 4, Bitmap: [8]uint32{0xd0000000}}},
			[]interval{{2, 6}, {8, 8}}},
		{"nothing", Gap{Start: 2, List: SequenceNumberSet{Base: 2}}, nil},
	} {
		var got []interval
		for first, last := range tc.gap.Intervals {
			got = append(got, interval{first, last})
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		for first := range tc.gap.Intervals { // an early end
			if len(tc.want) > 0 && first != tc.want[0].First {
				t.Errorf("%s: starts with %d", tc.name, first)
			}
			break
		}
	}
}
