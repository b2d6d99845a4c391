// SPDX-License-Identifier: Apache-2.0

// Package yuv converts packed YUV 4:2:2 pictures (YUYV) to RGB and to luma, by ITU-R BT.601.
package yuv

// Range says which byte values stand for black and white.
type Range uint8

const (
	// Unspecified is a range nobody told; it is taken as Full, since the Pi-puck's sensor is set up to give that.
	Unspecified Range = iota
	// Full has Y, Cb and Cr in 0 to 255, Cb and Cr around 128, as JFIF defines it: what the OV7670 gives with COM15
	// set to 0xC0.
	Full
	// Limited has Y in 16 to 235, Cb and Cr in 16 to 240 around 128, as ITU-R BT.601 defines it: what UVC says of a
	// camera that says nothing, and the kernel's default for YUV formats.
	Limited
)

// String gives "full", "limited" or "unspecified".
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
