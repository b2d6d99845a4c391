// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// isp is the GPU's image signal processor: it scales pictures and changes their pixel format. It is a
// [camera.Converter].
type isp struct {
	s   *session
	cfg camera.ConverterConfig

	dst  []byte // as in JPEGEncoder
	keep func([]byte) error
}

var _ camera.Converter = (*isp)(nil)

// newISP opens the image signal processor. Errors match [ErrNoDevice], errFormat or are the kernel's. It supports
// RGB24, BGR24 and YUYV; GREY, which is a copy of every other byte, is left to the CPU.
func (o options) newISP(cfg camera.ConverterConfig) (camera.Converter, error) {
	c, err := newISP(linux{"/dev"}, o.withDefaults(), cfg)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func newISP(k Files, o options, cfg camera.ConverterConfig) (*isp, error) {
	if err := checkSize(cfg.Width, cfg.Height); err != nil {
		return nil, err
	}
	if err := checkSize(cfg.OutWidth, cfg.OutHeight); err != nil {
		return nil, err
	}
	switch cfg.OutFormat {
	case camera.RGB24, camera.BGR24, camera.YUYV:
	default:
		return nil, fmt.Errorf("%w: no output in %v", errFormat, cfg.OutFormat)
	}
	s, err := start(k, o, o.ISP,
		picture(cfg.Format, cfg.Width, cfg.Height, cfg.Stride, cfg.Range),
		picture(cfg.OutFormat, cfg.OutWidth, cfg.OutHeight, 0, cfg.Range))
	if err != nil {
		return nil, err
	}
	c := &isp{s: s, cfg: cfg}
	c.keep = c.append
	return c, nil
}

// Name implements [camera.Converter].
func (c *isp) Name() string { return c.s.name() }

// Convert implements [camera.Converter].
func (c *isp) Convert(dst []byte, f *camera.Frame) ([]byte, error) {
	if err := fits(f, c.cfg.Format, c.cfg.Width, c.cfg.Height); err != nil {
		return dst, err
	}
	if err := c.s.submit(f.Data, f.Stride, f.Width*f.Format.BytesPerPixel(), f.Height); err != nil {
		return dst, err
	}
	c.dst = dst
	err := c.s.receive(c.keep)
	dst, c.dst = c.dst, nil
	return dst, err
}

// append removes the gaps between the rows, which the GPU pads to 32 or 64 bytes.
func (c *isp) append(data []byte) error {
	row := c.cfg.OutWidth * c.cfg.OutFormat.BytesPerPixel()
	stride := max(int(c.s.in.pix.planes[0].stride), row)
	if len(data) < stride*(c.cfg.OutHeight-1)+row {
		return fmt.Errorf("%w: the GPU returned %d bytes for %d rows of %d", camera.ErrFrame, len(data), c.cfg.OutHeight, stride)
	}
	for y := range c.cfg.OutHeight {
		c.dst = append(c.dst, data[y*stride:y*stride+row]...)
	}
	return nil
}

// Close implements [camera.Converter].
func (c *isp) Close() error { return c.s.close() }
