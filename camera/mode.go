// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"cmp"
	"slices"
)

// formats lists the formats that a pipeline supports, best first: uncompressed colour costs least.
var formats = []PixelFormat{YUYV, RGB24, BGR24, MJPEG, JPEG, GREY}

// chooseMode returns the mode for complete settings: in their format, of their size or else the smallest larger one,
// with a sufficient frame rate if there is one, in the best format, at the lowest such rate. The error is a
// [ModeError].
func chooseMode(modes []Mode, s Settings) (Mode, error) {
	fit := slices.DeleteFunc(slices.Clone(modes), func(m Mode) bool {
		return m.Width < s.Width || m.Height < s.Height || m.Width > maxSize || m.Height > maxSize ||
			!slices.Contains(formats, m.Format) || s.Format != 0 && m.Format != s.Format
	})
	if len(fit) == 0 {
		return Mode{}, &ModeError{Want: Mode{Width: s.Width, Height: s.Height, Format: s.Format, FrameRate: s.FrameRate}, Have: modes}
	}
	slow := func(m Mode) int {
		if m.FrameRate != 0 && m.FrameRate < s.FrameRate*0.99 {
			return 1
		}
		return 0
	}
	best := slices.MinFunc(fit, func(a, b Mode) int {
		rate := cmp.Compare(a.FrameRate, b.FrameRate)
		if slow(a) == 1 {
			rate = -rate
		}
		return cmp.Or(cmp.Compare(a.Width*a.Height, b.Width*b.Height), cmp.Compare(slow(a), slow(b)),
			cmp.Compare(slices.Index(formats, a.Format), slices.Index(formats, b.Format)), rate)
	})
	return best, nil
}
