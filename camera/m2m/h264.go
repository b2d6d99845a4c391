// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// CardH264 is the Raspberry Pi's video encoder; usually /dev/video11.
const CardH264 = "bcm2835-codec-encode"

// formatH264 is H.264 with start codes (V4L2_PIX_FMT_H264).
const formatH264 camera.PixelFormat = 'H' | '2'<<8 | '6'<<16 | '4'<<24

// Controls of video encoders (v4l2-controls.h) and values that browsers support: baseline profile, level 3.1.
const (
	h264Bitrate      = 0x009909cf
	h264RepeatHeader = 0x009909e2 // before each key frame, for viewers that join later
	h264ForceKey     = 0x009909e5
	h264Period       = 0x00990a66 // frames from one key frame to the next
	h264Level        = 0x00990a67
	h264Profile      = 0x00990a6b

	profileBaseline = 0
	level31         = 9
)

// H264Config is the configuration of an [H264Encoder].
type H264Config struct {
	// Encoder is the picture's size and format; its Quality is not used.
	Encoder camera.EncoderConfig
	// Bitrate is the target bit rate, bit/s. It defaults to 1.2 Mbit/s.
	Bitrate int
	// KeyPeriod is the number of frames from one key frame to the next. It defaults to 30, two seconds.
	KeyPeriod int
	// Files are the machine's device files. They default to those of /dev.
	Files Files
}

// Defaults of H264Config.
const (
	defaultBitrate   = 1_200_000
	defaultKeyPeriod = 30
)

// H264Encoder is the GPU's video encoder. One goroutine uses it; ForceKey and Close are safe for concurrent use.
type H264Encoder struct {
	s    *session
	cfg  camera.EncoderConfig
	dst  []byte
	keep func([]byte) error
}

// NewH264Encoder opens the GPU's video encoder for frames of one size and format. The error matches [ErrNoDevice]
// without such a device. An error about an unsupported size or format has the size or format; other errors are the
// kernel's.
func NewH264Encoder(cfg H264Config) (*H264Encoder, error) {
	o, c := options{}.withDefaults(), cfg.Encoder
	if cfg.Files == nil {
		cfg.Files = linux{"/dev"}
	}
	if err := checkSize(c.Width, c.Height); err != nil {
		return nil, err
	}
	if c.Format.BytesPerPixel() == 0 {
		return nil, fmt.Errorf("%w: %v can't be encoded", errFormat, c.Format)
	}
	if cfg.Bitrate <= 0 {
		cfg.Bitrate = defaultBitrate
	}
	if cfg.KeyPeriod <= 0 {
		cfg.KeyPeriod = defaultKeyPeriod
	}
	result := picture(formatH264, c.Width, c.Height, 0, c.Range)
	result.planes[0].sizeImage = uint32(c.Width * c.Height) // a key frame is far smaller
	s, err := start(cfg.Files, o, CardH264, picture(c.Format, c.Width, c.Height, c.Stride, c.Range), result)
	if err != nil {
		return nil, err
	}
	e := &H264Encoder{s: s, cfg: c}
	e.keep = e.append
	if err := e.configure(&cfg); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return e, nil
}

// configure sets the controls. The driver may lack those that only help viewers to join.
func (e *H264Encoder) configure(cfg *H264Config) error {
	for _, c := range []struct {
		id       uint32
		value    int
		optional bool
	}{
		{h264Bitrate, cfg.Bitrate, false}, {h264Profile, profileBaseline, false}, {h264Level, level31, true},
		{h264Period, cfg.KeyPeriod, true}, {h264RepeatHeader, 1, true},
	} {
		if err := e.s.control(c.id, c.value); err != nil && !(c.optional && errors.Is(err, unix.EINVAL)) {
			return err
		}
	}
	return nil
}

// Name returns the encoder's name.
func (e *H264Encoder) Name() string { return e.s.name() }

// Encode appends the access unit of a frame, NAL units with start codes, to dst. An error that matches
// [camera.ErrFrame] concerns this frame only; after any other the encoder must be closed.
func (e *H264Encoder) Encode(dst []byte, f *camera.Frame) ([]byte, error) {
	if err := fits(f, e.cfg.Format, e.cfg.Width, e.cfg.Height); err != nil {
		return dst, err
	}
	if err := e.s.submit(f.Data, f.Stride, f.Width*f.Format.BytesPerPixel(), f.Height); err != nil {
		return dst, err
	}
	e.dst = dst
	err := e.s.receive(e.keep)
	dst, e.dst = e.dst, nil
	return dst, err
}

// append checks that a result begins with a NAL unit, and keeps it.
func (e *H264Encoder) append(data []byte) error {
	if !startsUnit(data) {
		return fmt.Errorf("%w: the GPU returned %d bytes that do not begin with a NAL unit", camera.ErrFrame, len(data))
	}
	e.dst = append(e.dst, data...)
	return nil
}

// startsUnit reports whether data begins with a start code and the head of a NAL unit (ITU-T H.264, B.1 and 7.3.1).
func startsUnit(data []byte) bool {
	for i := 0; i < 3 && i+3 < len(data); i++ {
		if data[i] != 0 {
			return false
		}
		if data[i+1] == 0 && data[i+2] == 1 {
			head := data[i+3]
			return head&0x80 == 0 && head&0x1f != 0
		}
	}
	return false
}

// ForceKey makes the next frame a key frame, for a viewer that joined or lost packets.
func (e *H264Encoder) ForceKey() error { return e.s.control(h264ForceKey, 1) }

// SetBitrate sets the target bit rate, bit/s.
func (e *H264Encoder) SetBitrate(bits int) error {
	if bits < 25_000 || bits > 25_000_000 {
		return fmt.Errorf("%w: %d bit/s, it must be 25,000 to 25,000,000", camera.ErrSetting, bits)
	}
	return e.s.control(h264Bitrate, bits)
}

// Close closes the encoder; a waiting Encode returns. It may be called more than once.
func (e *H264Encoder) Close() error { return e.s.close() }
