// SPDX-License-Identifier: Apache-2.0

package jpeg

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// tile holds the samples of one MCU: two luma blocks, left and right, one of Cb, one of Cr; for grey frames only the
// first block.
type tile [4][64]int32

// Indexes of a tile.
const (
	left = iota
	right
	blue
	red
)

// load loads 16×8 pixels of YUYV that are completely within the frame. It is unrolled: on the ARM1176 the loop would
// cost more than its body.
func (t *tile) load(data []byte, stride int) {
	at := 0
	for i := 0; i < 64; i += 8 {
		s := (*[32]byte)(data[at:])
		l, r := (*[8]int32)(t[left][i:]), (*[8]int32)(t[right][i:])
		l[0], l[1], l[2], l[3] = up(s[0]), up(s[2]), up(s[4]), up(s[6])
		l[4], l[5], l[6], l[7] = up(s[8]), up(s[10]), up(s[12]), up(s[14])
		r[0], r[1], r[2], r[3] = up(s[16]), up(s[18]), up(s[20]), up(s[22])
		r[4], r[5], r[6], r[7] = up(s[24]), up(s[26]), up(s[28]), up(s[30])
		u, v := (*[8]int32)(t[blue][i:]), (*[8]int32)(t[red][i:])
		u[0], u[1], u[2], u[3] = up(s[1]), up(s[5]), up(s[9]), up(s[13])
		u[4], u[5], u[6], u[7] = up(s[17]), up(s[21]), up(s[25]), up(s[29])
		v[0], v[1], v[2], v[3] = up(s[3]), up(s[7]), up(s[11]), up(s[15])
		v[4], v[5], v[6], v[7] = up(s[19]), up(s[23]), up(s[27]), up(s[31])
		at += stride
	}
}

// up converts a sample to the DCT's fixed-point format.
func up(sample byte) int32 { return int32(sample) << dctBits }

// loadEdge is load at x, y for a tile that exceeds the frame: the last column and row are repeated, as T.81 A.2.4
// advises.
func (t *tile) loadEdge(frame *yuv.Picture, x, y int) {
	for i := range 64 {
		row := frame.Data[min(y+i/8, frame.Height-1)*frame.Stride:]
		across := i % 8
		luma := func(x int) int32 { return up(row[2*min(x, frame.Width-1)]) }
		t[left][i], t[right][i] = luma(x+across), luma(x+8+across)
		pair := 4 * min(x/2+across, frame.Width/2-1)
		t[blue][i], t[red][i] = up(row[pair+1]), up(row[pair+3])
	}
}

// loadGrey loads 8×8 pixels of luma that are completely within the frame.
func (t *tile) loadGrey(data []byte, stride int) {
	at := 0
	for i := 0; i < 64; i += 8 {
		s, l := (*[8]byte)(data[at:]), (*[8]int32)(t[left][i:])
		l[0], l[1], l[2], l[3] = up(s[0]), up(s[1]), up(s[2]), up(s[3])
		l[4], l[5], l[6], l[7] = up(s[4]), up(s[5]), up(s[6]), up(s[7])
		at += stride
	}
}

// loadGreyEdge is loadGrey at x, y for a tile that exceeds the frame.
func (t *tile) loadGreyEdge(frame *yuv.Picture, x, y int) {
	for i := range 64 {
		t[left][i] = up(frame.Data[min(y+i/8, frame.Height-1)*frame.Stride+min(x+i%8, frame.Width-1)])
	}
}
