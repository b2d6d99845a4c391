// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// bmapBlock is the block size of a bmap file, bytes.
const bmapBlock = 4096

// Extent is a part of an image, bytes from its beginning.
type Extent struct{ Offset, Length int64 }

// Bmap writes the bmap file (bmap 2.0) of an image of a size, which bmaptool and Raspberry Pi Imager read: the
// extents that must be written. They must be in ascending order; a block counts completely if an extent overlaps with
// it. It returns the number of bytes to be written.
func Bmap(w io.Writer, image io.ReaderAt, size int64, extents []Extent) (int64, error) {
	blocks := (size + bmapBlock - 1) / bmapBlock
	ranges := blockRanges(extents, blocks)
	var mapped int64
	var list strings.Builder
	for _, r := range ranges {
		sum := sha256.New()
		from, to := r[0]*bmapBlock, min((r[1]+1)*bmapBlock, size)
		if _, err := io.Copy(sum, io.NewSectionReader(image, from, to-from)); err != nil {
			return 0, err
		}
		mapped += r[1] - r[0] + 1
		span := fmt.Sprintf("%d-%d", r[0], r[1])
		if r[0] == r[1] {
			span = fmt.Sprint(r[0])
		}
		fmt.Fprintf(&list, "        <Range chksum=\"%x\">%s</Range>\n", sum.Sum(nil), span)
	}
	text := fmt.Sprintf(`<?xml version="1.0" ?>
<bmap version="2.0">
    <ImageSize>%d</ImageSize>
    <BlockSize>%d</BlockSize>
    <BlocksCount>%d</BlocksCount>
    <MappedBlocksCount>%d</MappedBlocksCount>
    <ChecksumType>sha256</ChecksumType>
    <BmapFileChecksum>%s</BmapFileChecksum>
    <BlockMap>
%s    </BlockMap>
</bmap>
`, size, bmapBlock, blocks, mapped, zeros, list.String())
	sum := sha256.Sum256([]byte(text)) // of the file with zeros instead of the sum
	_, err := io.WriteString(w, strings.Replace(text, zeros, hex.EncodeToString(sum[:]), 1))
	return mapped * bmapBlock, err
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// blockRanges returns the first and last blocks of extents; adjacent ranges are merged.
func blockRanges(extents []Extent, blocks int64) (ranges [][2]int64) {
	for _, e := range extents {
		if e.Length <= 0 {
			continue
		}
		first, last := e.Offset/bmapBlock, min((e.Offset+e.Length-1)/bmapBlock, blocks-1)
		if n := len(ranges); n > 0 && first <= ranges[n-1][1]+1 {
			ranges[n-1][1] = max(ranges[n-1][1], last)
			continue
		}
		ranges = append(ranges, [2]int64{first, last})
	}
	return ranges
}
