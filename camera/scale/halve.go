// SPDX-License-Identifier: Apache-2.0

package scale

import "github.com/epuck-ros2/epuck-driver/camera/yuv"

// halve scales by two in both directions, the usual case (640×480 to 320×240), in one pass: each sample is the mean of
// four.
func (s *Scaler) halve(dst, src yuv.Picture) {
	bpp := s.layout.bytesPerPixel()
	for y := range s.dst.height {
		above := src.Data[2*y*src.Stride:][:src.Width*bpp]
		below := src.Data[(2*y+1)*src.Stride:][:src.Width*bpp]
		row := dst.Data[y*dst.Stride:][:dst.Width*bpp]
		switch s.layout {
		case YUYV:
			halveYUYV(row, above, below)
		case RGB:
			halveRGB(row, above, below)
		default:
			halveMono(row, above, below)
		}
	}
}

// mean4 returns the mean of four samples, rounded.
func mean4(a, b, c, d byte) byte {
	return byte((uint32(a) + uint32(b) + uint32(c) + uint32(d) + 2) >> 2)
}

func halveYUYV(row, above, below []byte) {
	for len(row) >= 4 && len(above) >= 8 && len(below) >= 8 {
		d, a, b := (*[4]byte)(row), (*[8]byte)(above), (*[8]byte)(below)
		d[0], d[2] = mean4(a[0], a[2], b[0], b[2]), mean4(a[4], a[6], b[4], b[6])
		d[1], d[3] = mean4(a[1], a[5], b[1], b[5]), mean4(a[3], a[7], b[3], b[7])
		row, above, below = row[4:], above[8:], below[8:]
	}
}

func halveRGB(row, above, below []byte) {
	for len(row) >= 3 && len(above) >= 6 && len(below) >= 6 {
		d, a, b := (*[3]byte)(row), (*[6]byte)(above), (*[6]byte)(below)
		d[0], d[1], d[2] = mean4(a[0], a[3], b[0], b[3]), mean4(a[1], a[4], b[1], b[4]), mean4(a[2], a[5], b[2], b[5])
		row, above, below = row[3:], above[6:], below[6:]
	}
}

func halveMono(row, above, below []byte) {
	for i := range row {
		a, b := (*[2]byte)(above[2*i:]), (*[2]byte)(below[2*i:])
		row[i] = mean4(a[0], a[1], b[0], b[1])
	}
}
