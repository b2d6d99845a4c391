// SPDX-License-Identifier: Apache-2.0

package jpeg

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// maxBlockBytes is more than a block can take: 64 coefficients of 27 bits, and every byte stuffed.
const maxBlockBytes = 64 * 27 / 8 * 2

// scanYUYV writes the entropy-coded data of a 4:2:2 frame: per MCU of 16×8 pixels two blocks of luma, one of Cb, one of Cr.
func (e *Encoder) scanYUYV(frame *yuv.Picture) {
	var y, cb, cr int32
	luma, chroma := channel{&e.tables[0], &e.codes.dc[0], &e.codes.ac[0]}, channel{&e.tables[1], &e.codes.dc[1], &e.codes.ac[1]}
	for top := 0; top < frame.Height; top += 8 {
		for x := 0; x < frame.Width; x += 16 {
			if x+16 <= frame.Width && top+8 <= frame.Height {
				e.tile.load(frame.Data[top*frame.Stride+2*x:], frame.Stride)
			} else {
				e.tile.loadEdge(frame, x, top)
			}
			e.out.reserve(4 * maxBlockBytes)
			y = e.encodeBlock(left, &luma, y)
			y = e.encodeBlock(right, &luma, y)
			cb = e.encodeBlock(blue, &chroma, cb)
			cr = e.encodeBlock(red, &chroma, cr)
		}
	}
}

// scanGrey writes the entropy-coded data of a grey frame, block by block.
func (e *Encoder) scanGrey(frame *yuv.Picture) {
	var y int32
	luma := channel{&e.tables[0], &e.codes.dc[0], &e.codes.ac[0]}
	for top := 0; top < frame.Height; top += 8 {
		for x := 0; x < frame.Width; x += 8 {
			e.tile.loadGrey(frame, x, top)
			e.out.reserve(maxBlockBytes)
			y = e.encodeBlock(left, &luma, y)
		}
	}
}

// channel is how blocks of luma, or of chroma, are quantised and coded.
type channel struct {
	steps  *steps
	dc, ac *[256]code
}

// Largest magnitudes baseline JPEG has codes for (T.81 tables F.1, F.2).
const (
	maxAC = 1<<10 - 1
	maxDC = 1<<11 - 1
)

// Symbols of AC coefficients.
const (
	endOfBlock = 0x00
	zeroRun    = 0xF0 // sixteen zeros
)

// encodeBlock transforms, quantises and writes one block of the tile. last is the DC coefficient of the block before in this
// channel, and this block's is returned.
func (e *Encoder) encodeBlock(place int, c *channel, last int32) int32 {
	block := &e.block
	forwardDCT(block, &e.tile[place])
	dc := c.quantiseDC(block[0])
	diff := min(maxDC, max(-maxDC, dc-last))
	e.putValue(c.dc, 0, diff)

	run := uint32(0)
	for k := 1; k < 64; k++ {
		s := &c.steps.step[k]
		v := block[s.from&63]
		sign := v >> 31
		magnitude := uint32(v ^ sign - sign)
		if magnitude <= s.zero {
			run++
			continue
		}
		for ; run >= 16; run -= 16 {
			e.out.put16(c.ac[zeroRun].bits, c.ac[zeroRun].size)
		}
		magnitude = min(maxAC, s.quantised(magnitude))
		e.putValue(c.ac, run<<4, int32(magnitude)^sign-sign)
		run = 0
	}
	if run > 0 {
		e.out.put16(c.ac[endOfBlock].bits, c.ac[endOfBlock].size)
	}
	return last + diff
}

// quantiseDC shifts the level so that the middle of the range is 0, and quantises.
func (c *channel) quantiseDC(v int32) int32 {
	v = min(c.steps.limit, max(-c.steps.limit, v-c.steps.offset))
	sign := v >> 31
	return int32(c.steps.step[0].quantised(uint32(v^sign-sign))) ^ sign - sign
}

// putValue writes the code for a run of zeros and a value, then the value's bits: of a negative one those of value − 1.
func (e *Encoder) putValue(codes *[256]code, run uint32, v int32) {
	sign := v >> 31
	need := category(uint32(v ^ sign - sign))
	c := &codes[(run|uint32(need))&255]
	value := uint32(v+sign) & (1<<(need&31) - 1)
	e.out.put(c.bits|value, c.size)
}
