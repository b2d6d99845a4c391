// SPDX-License-Identifier: Apache-2.0

package camera

import "fmt"

// PixelFormat is the layout of a frame's bytes: a FourCC, with the values of Linux's videodev2.h.
type PixelFormat uint32

// The pixel formats that the pipeline supports. A Device may list others, which a Pipeline can't open.
const (
	// YUYV is packed 4:2:2, bytes Y0 Cb Y1 Cr for two pixels ("YUY2" in UVC).
	YUYV PixelFormat = 'Y' | 'U'<<8 | 'Y'<<16 | 'V'<<24
	// JPEG is one whole JPEG file (JFIF) a frame.
	JPEG PixelFormat = 'J' | 'P'<<8 | 'E'<<16 | 'G'<<24
	// MJPEG is sent by most UVC cameras: JPEG whose Huffman tables may be missing.
	MJPEG PixelFormat = 'M' | 'J'<<8 | 'P'<<16 | 'G'<<24
	// RGB24 is three bytes a pixel: red, green, blue.
	RGB24 PixelFormat = 'R' | 'G'<<8 | 'B'<<16 | '3'<<24
	// BGR24 is three bytes a pixel: blue, green, red.
	BGR24 PixelFormat = 'B' | 'G'<<8 | 'R'<<16 | '3'<<24
	// GREY is one byte a pixel: luma.
	GREY PixelFormat = 'G' | 'R'<<8 | 'E'<<16 | 'Y'<<24
)

// String returns the four characters, with unprintable ones as dots; "none" for 0.
func (p PixelFormat) String() string {
	if p == 0 {
		return "none"
	}
	var s [4]byte
	for i := range s {
		c := byte(p >> (8 * i))
		if c < ' ' || c > '~' {
			c = '.'
		}
		s[i] = c
	}
	return string(s[:])
}

// BytesPerPixel returns the bytes of a pixel in a row; 0 for compressed and unknown formats.
func (p PixelFormat) BytesPerPixel() int {
	switch p {
	case YUYV:
		return 2
	case RGB24, BGR24:
		return 3
	case GREY:
		return 1
	default:
		return 0
	}
}

// Compressed reports whether a frame of this format is a JPEG file of varying length.
func (p PixelFormat) Compressed() bool { return p == JPEG || p == MJPEG }

// Mode is an operating mode of a camera.
type Mode struct {
	Width, Height int         // pixels
	Format        PixelFormat // of the frames
	FrameRate     float64     // frames/s; 0: unknown, or the device decides
}

// String returns "640×480 YUYV 15 frames/s".
func (m Mode) String() string {
	if m.FrameRate == 0 {
		return fmt.Sprintf("%d×%d %v", m.Width, m.Height, m.Format)
	}
	return fmt.Sprintf("%d×%d %v %.4g frames/s", m.Width, m.Height, m.Format, m.FrameRate)
}
