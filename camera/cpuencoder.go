// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera/jpeg"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// cpuEncoder is an Encoder that uses package jpeg.
type cpuEncoder struct {
	jpeg *jpeg.Encoder
	conv converter // of RGB frames to YUYV
	yuyv []byte
}

// newCPUEncoder returns an encoder on the CPU, for frames of varying sizes in YUYV, GREY, RGB24 and BGR24. The error
// matches [ErrSetting].
func newCPUEncoder(quality int) (Encoder, error) {
	e, err := jpeg.New(quality)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetting, err)
	}
	return &cpuEncoder{jpeg: e}, nil
}

func (e *cpuEncoder) Name() string { return "CPU" }

func (e *cpuEncoder) Encode(dst []byte, f *Frame) ([]byte, error) {
	if err := f.Check(); err != nil {
		return dst, err
	}
	sampling, src, r := jpeg.YUYV, f.picture(), f.Range
	switch f.Format {
	case YUYV:
	case GREY:
		sampling = jpeg.Grey
	case RGB24, BGR24:
		to := target{f.Width, f.Height, YUYV}
		var err error
		if e.yuyv, err = e.conv.convert(e.yuyv[:0], f, to); err != nil {
			return dst, fmt.Errorf("%w: %w", ErrFrame, err)
		}
		src, r = pictureOf(e.yuyv, to), yuv.Full
	default:
		return dst, fmt.Errorf("%w: %v can't be encoded", ErrFrame, f.Format)
	}
	out, err := e.jpeg.Encode(dst, src, sampling, r)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return out, nil
}

func (e *cpuEncoder) SetQuality(quality int) error {
	if err := e.jpeg.SetQuality(quality); err != nil {
		return fmt.Errorf("%w: %w", ErrSetting, err)
	}
	return nil
}

func (e *cpuEncoder) Close() error { return nil }
