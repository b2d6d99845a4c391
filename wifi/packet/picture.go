// SPDX-License-Identifier: Apache-2.0

package packet

// The robot's picture: rows from the top, RGB565, the byte with the red first. The camera is set up when the selector
// is at 15: every fourth pixel of every fourth row of 640×480 (main.c, cam_advanced_config).
const (
	PictureWidth  = 160                              // pixels
	PictureHeight = 120                              // pixels
	PictureSize   = 2 * PictureWidth * PictureHeight // bytes
)

// RGB565 returns the two bytes of a pixel.
func RGB565(r, g, b uint8) (first, second byte) {
	return r&0xF8 | g>>5, g<<3&0xE0 | b>>3
}

// RGB888 returns the colours of a pixel. The lower bits repeat the upper ones, so that the maximum is 255.
func RGB888(first, second byte) (r, g, b uint8) {
	r, g, b = first>>3, first<<3&0x38|second>>5, second&0x1F
	return r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2
}
