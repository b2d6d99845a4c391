// SPDX-License-Identifier: Apache-2.0

package jpeg

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// tile is what one MCU covers of a frame, taken apart: two blocks of luma side by side, one of Cb, one of Cr; of grey
// frames the first block alone.
type tile [4][64]int32

// Places in a tile.
const (
	left = iota
	right
	blue
	red
)

// load takes 16×8 pixels of YUYV that lie whole in the frame.
func (t *tile) load(data []byte, stride int) {
	at := 0
	for i := 0; i < 64; i += 8 {
		row := (*[32]byte)(data[at:])
		l, r := (*[8]int32)(t[left][i:]), (*[8]int32)(t[right][i:])
		for x := range 8 {
			l[x] = int32(row[2*x]) << dctBits
		}
		for x := range 8 {
			r[x] = int32(row[16+2*x]) << dctBits
		}
		cb, cr := (*[8]int32)(t[blue][i:]), (*[8]int32)(t[red][i:])
		for x := range 8 {
			cb[x], cr[x] = int32(row[4*x+1])<<dctBits, int32(row[4*x+3])<<dctBits
		}
		at += stride
	}
}

// loadEdge is load at x, y where the frame ends within: the last column and row go on, as T.81 A.2.4 advises.
func (t *tile) loadEdge(frame *yuv.Picture, x, y int) {
	for i := range 64 {
		row := frame.Data[min(y+i/8, frame.Height-1)*frame.Stride:]
		across := i % 8
		luma := func(x int) int32 { return int32(row[2*min(x, frame.Width-1)]) << dctBits }
		t[left][i], t[right][i] = luma(x+across), luma(x+8+across)
		pair := 4 * min(x/2+across, frame.Width/2-1)
		t[blue][i], t[red][i] = int32(row[pair+1])<<dctBits, int32(row[pair+3])<<dctBits
	}
}

// loadGrey takes 8×8 pixels of luma; beyond the frame its last column and row go on.
func (t *tile) loadGrey(frame *yuv.Picture, x, y int) {
	for i := range 64 {
		at := min(y+i/8, frame.Height-1)*frame.Stride + min(x+i%8, frame.Width-1)
		t[left][i] = int32(frame.Data[at]) << dctBits
	}
}
