// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"bytes"
	"image"
	"image/jpeg"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// decodeYUYV makes an image of an OUTPUT buffer, with the stride the driver set.
func decodeYUYV(p pixFormat, data []byte, width, height int) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio422)
	stride := int(p.planes[0].stride)
	for y := range height {
		for x := range width {
			m.Y[y*m.YStride+x] = data[y*stride+2*x]
			m.Cb[y*m.CStride+x/2] = data[y*stride+x/2*4+1]
			m.Cr[y*m.CStride+x/2] = data[y*stride+x/2*4+3]
		}
	}
	return m
}

// compress is the GPU's JPEG encoder: the size comes from the CAPTURE side, where it is not rounded.
func compress(f *fakeFile, in []byte, _ int64) []byte {
	p := f.fmt[queueCapture]
	var b bytes.Buffer
	m := decodeYUYV(f.fmt[queueOutput], in, int(p.width), int(p.height))
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: int(f.d.quality)}); err != nil {
		f.d.t.Error(err)
	}
	return b.Bytes()
}

// convert is the GPU's ISP: nearest neighbour, rows with gaps that are filled with 0xEE.
func convert(f *fakeFile, in []byte, _ int64) []byte {
	from, to := f.fmt[queueOutput], f.fmt[queueCapture]
	m := decodeYUYV(from, in, int(from.width), int(from.height))
	stride := int(to.planes[0].stride)
	out := bytes.Repeat([]byte{0xEE}, stride*int(to.height))
	for y := range int(to.height) {
		for x := range int(to.width) {
			sx, sy := x*int(from.width)/int(to.width), y*int(from.height)/int(to.height)
			c := m.YCbCrAt(sx, sy)
			r, g, b, _ := c.RGBA()
			switch camera.PixelFormat(to.fourcc) {
			case camera.RGB24:
				copy(out[y*stride+3*x:], []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)})
			case camera.BGR24:
				copy(out[y*stride+3*x:], []byte{byte(b >> 8), byte(g >> 8), byte(r >> 8)})
			case camera.YUYV:
				chroma := c.Cb
				if x%2 == 1 {
					chroma = c.Cr
				}
				copy(out[y*stride+2*x:], []byte{c.Y, chroma})
			}
		}
	}
	return out
}
