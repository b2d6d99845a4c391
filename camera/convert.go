// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/camera/scale"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// converter scales frames and changes their format on the CPU. Its buffers are reused.
type converter struct {
	scaler *scale.Scaler
	from   Mode   // the scaler's input
	to     target // the scaler's output
	scaled []byte // a frame scaled but not yet converted
}

// convert appends the frame, scaled and in another format, to dst: rows without gaps.
func (c *converter) convert(dst []byte, f *Frame, to target) ([]byte, error) {
	src := f.picture()
	if to.width != f.Width || to.height != f.Height {
		var err error
		if src, err = c.scale(f, to); err != nil {
			return dst, err
		}
	}
	start, n := len(dst), to.width*to.height*to.format.BytesPerPixel()
	dst = slices.Grow(dst, n)[:start+n]
	out := pictureOf(dst[start:], to)
	if err := recolour(out, src, f.Format, to.format, f.Range); err != nil {
		return dst[:start], err
	}
	return dst, nil
}

// scale returns the frame in the target's size, in its own format; valid until the next call.
func (c *converter) scale(f *Frame, to target) (yuv.Picture, error) {
	same := target{to.width, to.height, f.Format}
	from := Mode{Width: f.Width, Height: f.Height, Format: f.Format}
	if c.scaler == nil || c.from != from || c.to != same {
		layout := scale.RGB
		switch f.Format {
		case YUYV:
			layout = scale.YUYV
		case GREY:
			layout = scale.Mono
		}
		s, err := scale.New(layout, f.Width, f.Height, to.width, to.height)
		if err != nil {
			return yuv.Picture{}, fmt.Errorf("camera: %w", err)
		}
		c.scaler, c.from, c.to = s, from, same
		c.scaled = make([]byte, to.width*to.height*f.Format.BytesPerPixel())
	}
	out := pictureOf(c.scaled, same)
	return out, c.scaler.Scale(out, f.picture())
}

func (f *Frame) picture() yuv.Picture {
	return yuv.Picture{Data: f.Data, Width: f.Width, Height: f.Height, Stride: f.Stride}
}

func pictureOf(data []byte, t target) yuv.Picture {
	return yuv.Picture{Data: data, Width: t.width, Height: t.height, Stride: t.width * t.format.BytesPerPixel()}
}

// recolour converts a picture to another format of the same size.
func recolour(dst, src yuv.Picture, from, to PixelFormat, r yuv.Range) error {
	switch {
	case from == GREY && to == GREY:
		return yuv.Grey(dst, src, r)
	case from == to:
		return copyRows(dst, src, from.BytesPerPixel())
	}
	switch from {
	case YUYV:
		switch to {
		case RGB24:
			return yuv.RGB(dst, src, r)
		case BGR24:
			return yuv.BGR(dst, src, r)
		default:
			return yuv.Mono(dst, src, r)
		}
	case GREY:
		if to == YUYV {
			return yuv.GreyYUYV(dst, src)
		}
		return yuv.GreyRGB(dst, src, r)
	default:
		return fromRGB(dst, src, from, to)
	}
}

func fromRGB(dst, src yuv.Picture, from, to PixelFormat) error {
	switch {
	case to == YUYV && from == RGB24:
		return yuv.FromRGB(dst, src)
	case to == YUYV:
		return yuv.FromBGR(dst, src)
	case to == GREY && from == RGB24:
		return yuv.Luma(dst, src)
	case to == GREY:
		return yuv.LumaBGR(dst, src)
	default:
		return yuv.Swap(dst, src)
	}
}

func copyRows(dst, src yuv.Picture, bytesPerPixel int) error {
	row := src.Width * bytesPerPixel
	for y := range src.Height {
		copy(dst.Data[y*dst.Stride:][:row], src.Data[y*src.Stride:])
	}
	return nil
}
