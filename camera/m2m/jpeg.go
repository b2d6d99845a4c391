// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// jpegEncoder is the GPU's JPEG encoder. It is a [camera.AsyncEncoder]: one goroutine may submit while another
// receives.
type jpegEncoder struct {
	s   *session
	cfg camera.EncoderConfig

	// Of the receiver: the slice to which results are appended, and the function that does it, allocated once.
	dst  []byte
	keep func([]byte) error
}

var _ camera.AsyncEncoder = (*jpegEncoder)(nil)

// newJPEGEncoder opens the GPU's JPEG encoder for pictures of one size and format. Errors match [ErrNoDevice],
// errFormat (the GPU supports YUYV, not GREY), or are the kernel's.
func (o options) newJPEGEncoder(cfg camera.EncoderConfig) (camera.Encoder, error) {
	e, err := newJPEG(linux{"/dev"}, o.withDefaults(), cfg)
	if err != nil {
		return nil, err
	}
	return e, nil
}

func newJPEG(k Files, o options, cfg camera.EncoderConfig) (*jpegEncoder, error) {
	if err := checkSize(cfg.Width, cfg.Height); err != nil {
		return nil, err
	}
	if cfg.Format.BytesPerPixel() == 0 {
		return nil, fmt.Errorf("%w: %v can't be encoded", errFormat, cfg.Format)
	}
	result := picture(camera.JPEG, cfg.Width, cfg.Height, 0, cfg.Range)
	// At quality 100 a file is almost as large as the raw picture.
	result.planes[0].sizeImage = uint32(cfg.Width * cfg.Height * 2)
	s, err := start(k, o, o.JPEG, picture(cfg.Format, cfg.Width, cfg.Height, cfg.Stride, cfg.Range), result)
	if err != nil {
		return nil, err
	}
	e := &jpegEncoder{s: s, cfg: cfg}
	e.keep = e.append
	if err := e.SetQuality(cfg.Quality); err != nil {
		_ = s.close() // the first error is reported
		return nil, err
	}
	return e, nil
}

// checkSize checks a size against the driver's limits (MIN_W, MAX_W_CODEC); the driver would round others.
func checkSize(width, height int) error {
	if width < 32 || width > 1920 || width%2 != 0 || height < 32 || height > 1920 {
		return fmt.Errorf("%w: %d×%d; width and height must be 32 to 1920, the width even", errFormat, width, height)
	}
	return nil
}

// Name implements [camera.Encoder].
func (e *jpegEncoder) Name() string { return e.s.name() }

// Depth implements [camera.AsyncEncoder].
func (e *jpegEncoder) Depth() int { return e.s.depth }

// Submit implements [camera.AsyncEncoder].
func (e *jpegEncoder) Submit(f *camera.Frame) error {
	if err := fits(f, e.cfg.Format, e.cfg.Width, e.cfg.Height); err != nil {
		return err
	}
	return e.s.submit(f.Data, f.Stride, f.Width*f.Format.BytesPerPixel(), f.Height)
}

// fits checks that a frame has the configured size and format.
func fits(f *camera.Frame, format camera.PixelFormat, width, height int) error {
	if err := f.Check(); err != nil {
		return err
	}
	if f.Format != format || f.Width != width || f.Height != height {
		return fmt.Errorf("%w: %d×%d %v, the GPU is configured for %d×%d %v",
			camera.ErrFrame, f.Width, f.Height, f.Format, width, height, format)
	}
	return nil
}

// Receive implements [camera.AsyncEncoder].
func (e *jpegEncoder) Receive(dst []byte) ([]byte, error) {
	e.dst = dst
	err := e.s.receive(e.keep)
	dst, e.dst = e.dst, nil
	return dst, err
}

// Encode implements [camera.Encoder]: it submits the frame and waits for its result.
func (e *jpegEncoder) Encode(dst []byte, f *camera.Frame) ([]byte, error) {
	if err := e.Submit(f); err != nil {
		return dst, err
	}
	return e.Receive(dst)
}

// append checks that a result is a complete JPEG file of the right size, and keeps it.
func (e *jpegEncoder) append(data []byte) error {
	file, ok := wholeJPEG(data)
	if !ok {
		return fmt.Errorf("%w: the GPU returned %d bytes that are not a complete JPEG file", camera.ErrFrame, len(data))
	}
	w, h, ok := sizeOf(file)
	if !ok {
		return fmt.Errorf("%w: the GPU returned a JPEG file without a size", camera.ErrFrame)
	}
	if w != e.cfg.Width || h != e.cfg.Height {
		return fmt.Errorf("%w: JPEG files of %d×%d from pictures of %d×%d", errFormat, w, h, e.cfg.Width, e.cfg.Height)
	}
	e.dst = append(e.dst, file...)
	return nil
}

// wholeJPEG removes bytes after the end marker (the firmware may pad with zeros); false if the begin or end is missing.
func wholeJPEG(data []byte) ([]byte, bool) {
	file := bytes.TrimRight(data, "\x00")
	if len(file) < 4 || file[0] != 0xFF || file[1] != 0xD8 || file[len(file)-2] != 0xFF || file[len(file)-1] != 0xD9 {
		return nil, false
	}
	return file, true
}

// sizeOf reads the size in a JPEG file's frame header (SOF0 to SOF2; ITU-T T.81, B.2.2), before the picture's data.
func sizeOf(file []byte) (width, height int, ok bool) {
	for p := 2; p+9 <= len(file) && file[p] == 0xFF; {
		marker := file[p+1]
		if marker == 0xFF { // fill byte
			p++
			continue
		}
		if marker >= 0xC0 && marker <= 0xC2 {
			return int(binary.BigEndian.Uint16(file[p+7:])), int(binary.BigEndian.Uint16(file[p+5:])), true
		}
		p += 2 + int(binary.BigEndian.Uint16(file[p+2:]))
	}
	return 0, 0, false
}

// SetQuality implements [camera.Encoder].
func (e *jpegEncoder) SetQuality(quality int) error {
	if quality < 1 || quality > 100 {
		return fmt.Errorf("%w: quality %d, it must be 1 to 100", camera.ErrSetting, quality)
	}
	return e.s.control(jpegQuality, quality)
}

// Close implements [camera.Encoder]. Pictures in flight are dropped. If the GPU hangs, the kernel waits for it for up
// to 2 s.
func (e *jpegEncoder) Close() error { return e.s.close() }
