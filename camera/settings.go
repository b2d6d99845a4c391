// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"math"
)

// EncoderChoice selects the JPEG encoder.
type EncoderChoice string

// The choices.
const (
	// Auto uses the GPU if it works, else the CPU, also when the GPU fails later.
	Auto EncoderChoice = "auto"
	// GPU uses only the GPU.
	GPU EncoderChoice = "gpu"
	// CPU uses only the CPU.
	CPU EncoderChoice = "cpu"
)

// Defaults of Settings.
const (
	DefaultWidth     = 640  // pixels
	DefaultHeight    = 480  // pixels
	DefaultFrameRate = 15.0 // frames/s
	DefaultQuality   = 80   // libjpeg's scale
)

// Settings can be changed while the pipeline runs. Zero fields have their defaults.
type Settings struct {
	// Width and Height are the size of the pictures in pixels, both or none. They default to 640 by 480. The camera
	// runs in a mode of that size, else in the next larger one, and pictures are scaled down. Width is even.
	Width, Height int
	// FrameRate is the maximum rate of pictures, frames/s, above 0. It defaults to 15. Frames of a faster camera are
	// dropped evenly, judged by their stamps.
	FrameRate float64
	// Quality of JPEG pictures, 1 to 100 on libjpeg's scale. It defaults to 80.
	Quality int
	// Encoder selects the JPEG encoder. It defaults to Auto.
	Encoder EncoderChoice
	// Format selects the camera's pixel format. It defaults to the best with a sufficient frame rate: YUYV, else RGB24,
	// BGR24, MJPEG, JPEG, GREY. With MJPEG, pictures compressed by the camera are forwarded.
	Format PixelFormat
}

// withDefaults returns the settings with the zero fields filled in.
func (s Settings) withDefaults() Settings {
	if s.Width == 0 && s.Height == 0 {
		s.Width, s.Height = DefaultWidth, DefaultHeight
	}
	if s.FrameRate == 0 {
		s.FrameRate = DefaultFrameRate
	}
	if s.Quality == 0 {
		s.Quality = DefaultQuality
	}
	if s.Encoder == "" {
		s.Encoder = Auto
	}
	return s
}

// check validates the settings; the error matches [ErrSetting] and has the field and its valid values. [Pipeline.Set]
// compares with the camera's modes.
func (s Settings) check() error {
	s = s.withDefaults()
	if err := checkSize(s.Width, s.Height); err != nil {
		return err
	}
	if !(s.FrameRate > 0) || math.IsInf(s.FrameRate, 0) {
		return fmt.Errorf("%w: frame rate %v, it must be above 0 frames/s", ErrSetting, s.FrameRate)
	}
	if err := checkQuality(s.Quality); err != nil {
		return err
	}
	switch s.Encoder {
	case Auto, GPU, CPU:
	default:
		return fmt.Errorf("%w: encoder %q; there is: auto, gpu, cpu", ErrSetting, string(s.Encoder))
	}
	if s.Format != 0 && s.Format.BytesPerPixel() == 0 && !s.Format.Compressed() {
		return fmt.Errorf("%w: format %v; there is: %v, %v, %v, %v, %v, %v", ErrSetting, s.Format, YUYV, RGB24, BGR24, GREY, MJPEG, JPEG)
	}
	return nil
}

func checkSize(w, h int) error {
	if w < 2 || w > maxSize || w%2 != 0 || h < 1 || h > maxSize {
		return fmt.Errorf("%w: size %d×%d; the width must be even, 2 to %d, the height 1 to %d", ErrSetting, w, h, maxSize-1, maxSize)
	}
	return nil
}

func checkQuality(q int) error {
	if q < 1 || q > 100 {
		return fmt.Errorf("%w: quality %d, it must be 1 to 100", ErrSetting, q)
	}
	return nil
}
