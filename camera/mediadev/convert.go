// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"fmt"
	"image"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// formatOf returns the cheapest lossless pixel format for an image.
func formatOf(m image.Image) camera.PixelFormat {
	switch m.(type) {
	case *image.YCbCr:
		return camera.YUYV
	case *image.Gray, *image.Gray16:
		return camera.GREY
	default:
		return camera.RGB24
	}
}

// pack stores an image in dst, whose contents are replaced, in the given format. It does not convert between YUV and
// RGB.
func pack(dst []byte, m image.Image, f camera.PixelFormat) ([]byte, error) {
	if got := formatOf(m); got != f {
		return dst, fmt.Errorf("%w: image is %T, which is %v and not %v", camera.ErrFrame, m, got, f)
	}
	b := m.Bounds()
	if f == camera.YUYV && b.Dx()%2 != 0 {
		return dst, fmt.Errorf("%w: YUYV of odd width %d", camera.ErrFrame, b.Dx())
	}
	dst = dst[:0]
	switch m := m.(type) {
	case *image.YCbCr:
		return packYUYV(dst, m), nil
	case *image.Gray:
		for y := b.Min.Y; y < b.Max.Y; y++ {
			o := m.PixOffset(b.Min.X, y)
			dst = append(dst, m.Pix[o:o+b.Dx()]...)
		}
	case *image.Gray16:
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				dst = append(dst, m.Pix[m.PixOffset(x, y)]) // the high byte comes first
			}
		}
	case *image.RGBA:
		for y := b.Min.Y; y < b.Max.Y; y++ {
			o := m.PixOffset(b.Min.X, y)
			for row := m.Pix[o : o+4*b.Dx()]; len(row) > 0; row = row[4:] {
				dst = append(dst, row[0], row[1], row[2])
			}
		}
	default:
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				r, g, bl, _ := m.At(x, y).RGBA()
				dst = append(dst, byte(r>>8), byte(g>>8), byte(bl>>8))
			}
		}
	}
	return dst, nil
}

// packYUYV uses the chroma of the left pixel of each pair, whatever the subsampling.
func packYUYV(dst []byte, m *image.YCbCr) []byte {
	b := m.Rect
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			l, c := m.YOffset(x, y), m.COffset(x, y)
			dst = append(dst, m.Y[l], m.Cb[c], m.Y[l+1], m.Cr[c])
		}
	}
	return dst
}

// unpack returns a frame as an image. If old is a result for a frame of the same kind, its memory is reused.
func unpack(old image.Image, f *camera.Frame) (image.Image, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	r := image.Rect(0, 0, f.Width, f.Height)
	switch f.Format {
	case camera.YUYV:
		m, ok := old.(*image.YCbCr)
		if !ok || m.Rect != r {
			m = image.NewYCbCr(r, image.YCbCrSubsampleRatio422)
		}
		unpackYUYV(m, f)
		return m, nil
	case camera.GREY:
		m, ok := old.(*image.Gray)
		if !ok || m.Rect != r {
			m = image.NewGray(r)
		}
		for y := range f.Height {
			copy(m.Pix[y*m.Stride:y*m.Stride+f.Width], f.Data[y*f.Stride:])
		}
		return m, nil
	case camera.RGB24, camera.BGR24:
		m, ok := old.(*image.RGBA)
		if !ok || m.Rect != r {
			m = image.NewRGBA(r)
		}
		unpackRGB(m, f)
		return m, nil
	default:
		return nil, fmt.Errorf("%w: %v can't be converted to an image", camera.ErrFrame, f.Format)
	}
}

func unpackYUYV(m *image.YCbCr, f *camera.Frame) {
	for y := range f.Height {
		row := f.Data[y*f.Stride:][:2*f.Width]
		luma, cb, cr := m.Y[y*m.YStride:], m.Cb[y*m.CStride:], m.Cr[y*m.CStride:]
		for x := 0; x < f.Width/2; x++ {
			p := row[4*x : 4*x+4]
			luma[2*x], cb[x], luma[2*x+1], cr[x] = p[0], p[1], p[2], p[3]
		}
	}
}

func unpackRGB(m *image.RGBA, f *camera.Frame) {
	red, blue := 0, 2
	if f.Format == camera.BGR24 {
		red, blue = 2, 0
	}
	for y := range f.Height {
		row := f.Data[y*f.Stride:][:3*f.Width]
		out := m.Pix[y*m.Stride:]
		for x := range f.Width {
			p := row[3*x : 3*x+3]
			out[4*x], out[4*x+1], out[4*x+2], out[4*x+3] = p[red], p[1], p[blue], 0xFF
		}
	}
}
