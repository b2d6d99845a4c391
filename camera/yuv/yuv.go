// SPDX-License-Identifier: Apache-2.0

// Package yuv converts packed YUV 4:2:2 pictures (YUYV) to RGB and to luma and back, by ITU-R BT.601.
//
// Results are those of the real-valued formulas, rounded to the nearest integer and clamped to 0 to 255. Nothing is
// allocated. Rows may have any stride; bytes between them are neither read nor written.
package yuv

import (
	"errors"
	"fmt"
)

// Range is the range of the byte values between black and white.
type Range uint8

const (
	// Unspecified is an unknown range; it is treated as Full, the setting of the Pi-puck's sensor.
	Unspecified Range = iota
	// Full has Y, Cb and Cr in 0 to 255, Cb and Cr around 128, as JFIF defines it: the OV7670's output with COM15 set
	// to 0xC0.
	Full
	// Limited has Y in 16 to 235, Cb and Cr in 16 to 240 around 128, as ITU-R BT.601 defines it: UVC's default for a
	// camera that does not declare one, and the kernel's default for YUV formats.
	Limited
)

// String returns "full", "limited" or "unspecified".
func (r Range) String() string {
	switch r {
	case Full:
		return "full"
	case Limited:
		return "limited"
	default:
		return "unspecified"
	}
}

// errSize is wrapped when a picture's size, stride and length are inconsistent or do not match the other picture's.
var errSize = errors.New("yuv: invalid picture size")

// Picture is a picture in memory, in rows from top to bottom.
type Picture struct {
	Data          []byte
	Width, Height int // pixels
	Stride        int // bytes from the start of a row to that of the next
}

// Check returns an error if the picture's data are too short for rows of bytesPerPixel bytes a pixel. The error has the
// size, the stride or the number of bytes.
func (p *Picture) Check(bytesPerPixel int) error {
	if p.Width < 1 || p.Height < 1 || p.Width > maxSize || p.Height > maxSize {
		return fmt.Errorf("%w: %d×%d pixels", errSize, p.Width, p.Height)
	}
	row := p.Width * bytesPerPixel
	if p.Stride < row || p.Stride > maxStride {
		return fmt.Errorf("%w: stride %d, rows of %d bytes", errSize, p.Stride, row)
	}
	// In 64 bits: on the robot an int holds 2 GB.
	if need := int64(p.Stride)*int64(p.Height-1) + int64(row); int64(len(p.Data)) < need {
		return fmt.Errorf("%w: %d bytes of %d for %d×%d pixels", errSize, len(p.Data), need, p.Width, p.Height)
	}
	return nil
}

const (
	maxSize   = 65535 // pixels, as in a JPEG file
	maxStride = 1 << 20
)

// Bytes a pixel.
const (
	yuyvBytes = 2
	rgbBytes  = 3
	monoBytes = 1
)

// checkPair checks both pictures and that their sizes are equal, with an even width where one is YUYV.
func checkPair(dst, src *Picture, dstBytes, srcBytes int) error {
	if err := src.Check(srcBytes); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	if err := dst.Check(dstBytes); err != nil {
		return fmt.Errorf("destination: %w", err)
	}
	if dst.Width != src.Width || dst.Height != src.Height {
		return fmt.Errorf("%w: from %d×%d to %d×%d pixels", errSize, src.Width, src.Height, dst.Width, dst.Height)
	}
	if src.Width%2 != 0 && (dstBytes == yuyvBytes || srcBytes == yuyvBytes) {
		return fmt.Errorf("%w: width %d is odd, two YUYV pixels share their colour", errSize, src.Width)
	}
	return nil
}
