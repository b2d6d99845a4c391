// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	mathbits "math/bits"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// maxBlockBytes is an upper bound of a block's size: 64 coefficients of 27 bits, and every byte stuffed.
const maxBlockBytes = 64 * 27 / 8 * 2

// scanYUYV writes the entropy-coded data of a 4:2:2 frame: per MCU of 16×8 pixels two blocks of luma, one of Cb, one of
// Cr.
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
			if x+8 <= frame.Width && top+8 <= frame.Height {
				e.tile.loadGrey(frame.Data[top*frame.Stride+x:], frame.Stride)
			} else {
				e.tile.loadGreyEdge(frame, x, top)
			}
			e.out.reserve(maxBlockBytes)
			y = e.encodeBlock(left, &luma, y)
		}
	}
}

// channel holds the quantisation and the codes of luma or chroma blocks.
type channel struct {
	steps  *steps
	dc, ac *[256]code
}

// Largest magnitudes that baseline JPEG can encode (T.81 tables F.1, F.2).
const (
	maxAC = 1<<10 - 1
	maxDC = 1<<11 - 1
)

// Symbols of AC coefficients.
const (
	endOfBlock = 0x00
	zeroRun    = 0xF0 // sixteen zeros
)

// encodeBlock transforms, quantises and writes one block of the tile. last is the DC coefficient of the channel's
// previous block; it returns that of this block.
func (e *Encoder) encodeBlock(place int, c *channel, last int32) int32 {
	block := &e.block
	forwardDCT(block, &e.half, &e.tile[place])
	diff := min(maxDC, max(-maxDC, c.quantiseDC(block[0])-last))
	e.out.putValue(c.dc, 0, diff)

	next := 1 // position in the zigzag order
	for half, bits := range significant(block, &c.steps.zero) {
		for ; bits != 0; bits &= bits - 1 {
			k := (half*32 + mathbits.TrailingZeros32(bits)) & 63
			v := block[zigzag[k]&63]
			sign := v >> 31
			magnitude := min(maxAC, c.steps.step[k].quantised(uint32(v^sign-sign)))
			for ; k-next >= 16; next += 16 {
				e.out.put(c.ac[zeroRun].bits, c.ac[zeroRun].size)
			}
			e.out.putValue(c.ac, uint32(k-next)<<4, int32(magnitude)^sign-sign)
			next = k + 1
		}
	}
	if next < 64 {
		e.out.put(c.ac[endOfBlock].bits, c.ac[endOfBlock].size)
	}
	return last + diff
}

// quantiseDC applies the level shift, so the middle of the range is 0, and quantises.
func (c *channel) quantiseDC(v int32) int32 {
	v = min(c.steps.limit, max(-c.steps.limit, v-c.steps.offset))
	sign := v >> 31
	return int32(c.steps.step[0].quantised(uint32(v^sign-sign))) ^ sign - sign
}

// significant returns the AC coefficients that do not become zero, one bit each in zigzag order. Most coefficients of
// most blocks do, so only this is done for all of them. It is unrolled: a loop over single coefficients takes half as
// long again.
func significant(block *[64]int32, zero *[64]uint32) (bits [2]uint32) {
	for i := 0; i < 64; i += 8 {
		b, z, place := (*[8]int32)(block[i:]), (*[8]uint32)(zero[i:]), (*[8]uint8)(unzigzag[i:])
		if beyond(b[0], z[0]) {
			mark(&bits, place[0])
		}
		if beyond(b[1], z[1]) {
			mark(&bits, place[1])
		}
		if beyond(b[2], z[2]) {
			mark(&bits, place[2])
		}
		if beyond(b[3], z[3]) {
			mark(&bits, place[3])
		}
		if beyond(b[4], z[4]) {
			mark(&bits, place[4])
		}
		if beyond(b[5], z[5]) {
			mark(&bits, place[5])
		}
		if beyond(b[6], z[6]) {
			mark(&bits, place[6])
		}
		if beyond(b[7], z[7]) {
			mark(&bits, place[7])
		}
	}
	bits[0] &^= 1
	return bits
}

// beyond reports whether v is not within -zero to zero.
func beyond(v int32, zero uint32) bool { return uint32(v)+zero > 2*zero }

func mark(bits *[2]uint32, place uint8) { bits[place>>5&1] |= 1 << (place & 31) }
