// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"math"
)

// EncoderChoice says where JPEG is made.
type EncoderChoice string

// The choices there are.
const (
	// Auto takes the GPU if it works, else the CPU, and falls back to the CPU when the GPU fails later.
	Auto EncoderChoice = "auto"
	// GPU takes the GPU or fails.
	GPU EncoderChoice = "gpu"
	// CPU takes the CPU.
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
	// runs in a mode of that size if it has one, else in the next larger one, and pictures are scaled down. Width is
	// even.
	Width, Height int
	// FrameRate is how many pictures a second are handed out at most, above 0. It defaults to 15. Of a camera that
	// sends more, frames are left out evenly, judged by their stamps.
	FrameRate float64
	// Quality of JPEG pictures, 1 to 100 on libjpeg's scale. It defaults to 80.
	Quality int
	// Encoder is where JPEG pictures are made. It defaults to Auto.
	Encoder EncoderChoice
	// Format makes the camera run in that format. It defaults to the best there is with enough frames a second:
	// YUYV, else RGB24, BGR24, MJPEG, JPEG, GREY. Choose MJPEG to hand on what a camera compressed itself.
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

// check says what is wrong with the settings in themselves, with an error that matches [ErrSetting] and names the field
// and what it may be. What the camera can do is checked by [Pipeline.Set].
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
