// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every byte that is asked for is in the map with its sum, and blocks that are not are in none of its ranges.
func TestAnyMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		image := bytes.Repeat([]byte{1, 2, 3, 5, 8, 13, 21}, rapid.IntRange(1, 9000).Draw(t, "size"))
		blocks := (len(image) + 4095) / 4096
		wanted, at := make([]bool, blocks), 0
		var extents []Extent
		for at < len(image) {
			at += rapid.IntRange(0, 20000).Draw(t, "gap")
			n := min(rapid.IntRange(1, 12000).Draw(t, "length"), len(image)-at)
			if n <= 0 {
				break
			}
			extents = append(extents, Extent{int64(at), int64(n)})
			for b := at / 4096; b <= (at+n-1)/4096; b++ {
				wanted[b] = true
			}
			at += n
		}
		var text strings.Builder
		mapped, err := Bmap(&text, bytes.NewReader(image), int64(len(image)), extents)
		var m bmap
		if err := errors.Join(err, xml.Unmarshal([]byte(text.String()), &m)); err != nil {
			t.Fatal(err)
		}
		got, count := make([]bool, blocks), 0
		for _, r := range m.BlockMap.Range {
			low, high, span := strings.Cut(r.Span, "-")
			if !span {
				high = low
			}
			first, errA := strconv.Atoi(low)
			last, errB := strconv.Atoi(high)
			if err := errors.Join(errA, errB); err != nil || r.Sum != fmt.Sprintf("%x", sha256.Sum256(image[first*4096:min(len(image), last*4096+4096)])) {
				t.Fatalf("%+v, %v", r, err)
			}
			for b := first; b <= last; b++ {
				got[b], count = true, count+1
			}
		}
		if !slices.Equal(got, wanted) || mapped != int64(count)*4096 || m.MappedBlocksCount != int64(count) {
			t.Fatalf("%v mapped, not %v: %d bytes, %d blocks", got, wanted, mapped, m.MappedBlocksCount)
		}
	})
}

// What dumpe2fs does not call free is in use, and nothing else.
func TestAnyReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{1024, 4096}).Draw(t, "size")
		free := rapid.SliceOfN(rapid.Bool(), 1, 60).Draw(t, "free")
		report := fmt.Sprintf("Block count: %d\nFree blocks: 5\nBlock size: %d\n\nGroup 0:\n  Free blocks: ", len(free), size)
		for b := 0; b < len(free); b++ {
			first := b
			for b < len(free) && free[b] {
				b++
			}
			switch {
			case b == first+1:
				report += fmt.Sprintf("%d\nGroup 1:\n  Free blocks: ", first)
			case b > first:
				report += fmt.Sprintf("%d-%d, ", first, b-1)
			}
		}
		used, err := Used(report + "\n")
		if err != nil {
			t.Fatal(err, report)
		}
		got := slices.Repeat([]bool{true}, len(free))
		for _, e := range used {
			for at := e.Offset; at < e.Offset+e.Length; at += int64(size) {
				got[at/int64(size)] = false
			}
		}
		if !slices.Equal(got, free) {
			t.Fatalf("%v of\n%s", used, report)
		}
	})
}

// An archive is read back by the rules of the format: fields of eight digits, names and data at multiples of four.
func TestAnyArchive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []Entry
		for i := range rapid.IntRange(0, 4).Draw(t, "entries") {
			name := fmt.Sprint(i) + rapid.StringMatching(`[a-z/.]{0,9}`).Draw(t, "name")
			entries = append(entries, Entry{name, rapid.Uint32().Draw(t, "mode"), rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")})
		}
		var b bytes.Buffer
		if err := WriteCPIO(&b, entries); err != nil {
			t.Fatal(err)
		}
		rest, inodes := b.Bytes(), map[uint64]bool{}
		up := func(n uint64) uint64 { return (n + 3) / 4 * 4 }
		for _, want := range append(entries, Entry{Name: "TRAILER!!!"}) {
			field := func(i int) uint64 {
				n, err := strconv.ParseUint(string(rest[6+8*i:14+8*i]), 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			names, size := field(11), field(6)
			name, at := string(rest[110:110+names]), up(110+names)
			if string(rest[:6]) != "070701" || name != want.Name+"\x00" || uint32(field(1)) != want.Mode || inodes[field(0)] ||
				!bytes.Equal(rest[at:at+size], want.Data) {
				t.Fatalf("%q, not %+v", rest[:at+size], want)
			}
			inodes[field(0)] = true
			rest = rest[up(at+size):]
		}
		if len(rest) != 0 {
			t.Fatalf("%d bytes after the end", len(rest))
		}
	})
}
