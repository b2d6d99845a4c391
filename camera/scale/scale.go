// SPDX-License-Identifier: Apache-2.0

// Package scale resizes pictures by area averaging: each pixel of the result is the mean of the pixels that it
// covers, weighted by the covered area. There is no aliasing, at any ratio.
//
// The mean is exact, rounded to the nearest integer. A [Scaler] is made for one pair of sizes and then does not
// allocate.
package scale

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Layout is the order of a picture's bytes.
type Layout uint8

const (
	// YUYV is packed 4:2:2: luma and chroma are scaled each on its own grid. Widths are even.
	YUYV Layout = iota
	// RGB is three bytes a pixel; their order does not matter.
	RGB
	// Mono is one byte a pixel.
	Mono
)

// bytesPerPixel in a row; 0 for an unknown layout.
func (l Layout) bytesPerPixel() int {
	switch l {
	case YUYV:
		return 2
	case RGB:
		return 3
	case Mono:
		return 1
	default:
		return 0
	}
}

// errSize is wrapped when sizes can't be scaled, or a picture does not have the size that the Scaler was made for.
var errSize = errors.New("scale: invalid picture size")

// maxPixels of the larger picture: it keeps weighted sums within 32 bits, which the robot's processor adds fast.
const maxPixels = 1 << 24

// Scaler resizes pictures of one layout from one size to another, larger or smaller. One goroutine may use it.
type Scaler struct {
	layout   Layout
	src, dst size
	half     bool // two to one in both directions: see halve
	planes   []plane
	rows     []tap
	sum      []uint32 // weighted sums of the destination row being gathered, plane by plane
	line     []uint32 // one source row scaled horizontally
	lineRow  int      // number of that source row; -1: none
}

type size struct{ width, height int } // pixels

// plane is one kind of sample in a row: the positions of its samples and their scaling.
type plane struct {
	offset, step int // bytes
	at           int // index of its sums in sum and line
	columns      []tap
	whole        bool // the horizontal ratio is a whole number: all weights are 1
	area         divisor
}

// New returns a Scaler. It fails if the layout is unknown, a size is out of range, or a YUYV width is odd; the error
// has the value.
func New(layout Layout, srcWidth, srcHeight, dstWidth, dstHeight int) (*Scaler, error) {
	s := &Scaler{layout: layout, src: size{srcWidth, srcHeight}, dst: size{dstWidth, dstHeight},
		half: srcWidth == 2*dstWidth && srcHeight == 2*dstHeight}
	if layout.bytesPerPixel() == 0 {
		return nil, fmt.Errorf("%w: unknown layout %d", errSize, layout)
	}
	for _, z := range []size{s.src, s.dst} {
		if z.width < 1 || z.height < 1 || int64(z.width)*int64(z.height) > maxPixels {
			return nil, fmt.Errorf("%w: %d×%d, at most %d pixels are possible", errSize, z.width, z.height, maxPixels)
		}
		if layout == YUYV && z.width%2 != 0 {
			return nil, fmt.Errorf("%w: width %d is odd, two YUYV pixels share their colour", errSize, z.width)
		}
	}
	var rowWeight uint32
	s.rows, rowWeight = cover(srcHeight, dstHeight)
	switch layout {
	case YUYV:
		s.addPlane(0, 2, srcWidth, dstWidth, rowWeight)
		s.addPlane(1, 4, srcWidth/2, dstWidth/2, rowWeight)
		s.addPlane(3, 4, srcWidth/2, dstWidth/2, rowWeight)
	case RGB:
		for i := range 3 {
			s.addPlane(i, 3, srcWidth, dstWidth, rowWeight)
		}
	default:
		s.addPlane(0, 1, srcWidth, dstWidth, rowWeight)
	}
	return s, nil
}

func (s *Scaler) addPlane(offset, step, from, to int, rowWeight uint32) {
	columns, weight := cover(from, to)
	s.planes = append(s.planes, plane{offset: offset, step: step, at: len(s.sum), columns: columns,
		whole: columns[0].inner == 1, area: newDivisor(weight * rowWeight)})
	s.sum = append(s.sum, make([]uint32, to)...)
	s.line = append(s.line, make([]uint32, to)...)
}

// Scale resizes src into dst. It fails if a picture does not have the size that the Scaler was made for, or if its
// stride or number of bytes does not match its size; the error has the sizes.
func (s *Scaler) Scale(dst, src yuv.Picture) error {
	if src.Width != s.src.width || src.Height != s.src.height || dst.Width != s.dst.width || dst.Height != s.dst.height {
		return fmt.Errorf("%w: from %d×%d to %d×%d pixels, made for %d×%d to %d×%d", errSize,
			src.Width, src.Height, dst.Width, dst.Height, s.src.width, s.src.height, s.dst.width, s.dst.height)
	}
	bpp := s.layout.bytesPerPixel()
	if err := src.Check(bpp); err != nil {
		return fmt.Errorf("%w: source: %w", errSize, err)
	}
	if err := dst.Check(bpp); err != nil {
		return fmt.Errorf("%w: destination: %w", errSize, err)
	}
	if s.half {
		s.halve(dst, src)
		return nil
	}
	s.lineRow = -1
	for y := range s.rows {
		s.gather(&s.rows[y], src)
		row := dst.Data[y*dst.Stride:][:dst.Width*bpp]
		for i := range s.planes {
			s.planes[i].put(row, s.sum)
		}
	}
	return nil
}
