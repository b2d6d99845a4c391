// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
)

// DecodeYUYV appends the pixels of a JPEG file to dst, as YUYV in full range, rows without gaps, the width rounded down
// to even. It is for raw images of cameras that compress; it uses the standard library's decoder and allocates. Files
// of more than maxPixels are rejected before they are decoded. On an error, which has the size or the decoder's reason,
// dst is returned unchanged.
func DecodeYUYV(dst, file []byte, maxPixels int) (width, height int, pixels []byte, err error) {
	whole, err := AppendComplete(nil, file)
	if err != nil {
		return 0, 0, dst, err
	}
	cfg, err := jpeg.DecodeConfig(bytes.NewReader(whole))
	if err != nil {
		return 0, 0, dst, fmt.Errorf("%w: %w", errFormat, err)
	}
	width, height = cfg.Width&^1, cfg.Height
	if width == 0 || height == 0 || int64(width)*int64(height) > int64(maxPixels) {
		return 0, 0, dst, fmt.Errorf("%w: %d×%d pixels, 2 to %d are possible", errFormat, cfg.Width, cfg.Height, maxPixels)
	}
	im, err := jpeg.Decode(bytes.NewReader(whole))
	if err != nil {
		return 0, 0, dst, fmt.Errorf("%w: %w", errFormat, err)
	}
	start := len(dst)
	pixels = slices.Grow(dst, 2*width*height)[:start+2*width*height]
	switch im := im.(type) {
	case *image.YCbCr:
		packYUYV(pixels[start:], im, width, height)
	case *image.Gray:
		for y := range height {
			for x, luma := range im.Pix[y*im.Stride:][:width] {
				at := start + 2*(y*width+x)
				pixels[at], pixels[at+1] = luma, 128
			}
		}
	default:
		return 0, 0, dst, fmt.Errorf("%w: colours of %T", errFormat, im)
	}
	return width, height, pixels, nil
}

// packYUYV uses the chroma of the left pixel of each pair, which in 4:2:2 and 4:2:0 is that of the pair.
func packYUYV(dst []byte, im *image.YCbCr, width, height int) {
	for y := range height {
		row := dst[2*y*width:][:2*width]
		for x := 0; x < width; x += 2 {
			luma, chroma := im.YOffset(x, y), im.COffset(x, y)
			to := (*[4]byte)(row[2*x:])
			to[0], to[1], to[2], to[3] = im.Y[luma], im.Cb[chroma], im.Y[luma+1], im.Cr[chroma]
		}
	}
}
