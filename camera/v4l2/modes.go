// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"math"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Limits for drivers that never end an enumeration.
const (
	maxFormats   = 64
	maxSizes     = 128
	maxIntervals = 64
)

// usualSizes represent a range of sizes.
var usualSizes = [...][2]int{{160, 120}, {320, 240}, {640, 480}, {800, 600}, {1280, 720}, {1920, 1080}}

// modes lists the device's modes.
func modes(n node) ([]camera.Mode, error) {
	var all []camera.Mode
	err := enumerate(maxFormats, func(i int) error {
		f, err := n.format(i)
		if err != nil {
			return err
		}
		return enumerate(maxSizes, func(j int) error {
			s, err := n.size(j, f)
			if err != nil {
				return err
			}
			for _, wh := range s.list() {
				rates, err := rates(n, f, wh[0], wh[1])
				if err != nil {
					return err
				}
				for _, r := range rates {
					all = append(all, camera.Mode{Width: wh[0], Height: wh[1], Format: f, FrameRate: r})
				}
			}
			return nil
		})
	})
	return all, err
}

// enumerate calls next with 0, 1, 2 … until the driver reports the end.
func enumerate(limit int, next func(i int) error) error {
	for i := range limit {
		err := next(i)
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTTY) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns the sizes of an entry: of a range the usual ones and the largest.
func (s sizes) list() [][2]int {
	if s.minWidth == s.maxWidth && s.minHeight == s.maxHeight {
		return [][2]int{{s.minWidth, s.minHeight}}
	}
	var all [][2]int
	largest := [2]int{s.maxWidth, s.maxHeight}
	for _, wh := range usualSizes {
		if s.has(wh[0], wh[1]) && wh != largest {
			all = append(all, wh)
		}
	}
	return append(all, largest)
}

// rates returns the frame rates of a size, at least one: 0 if the driver reports none. Of a range it returns both ends
// and the usual rates in between.
func rates(n node, f camera.PixelFormat, width, height int) ([]float64, error) {
	var all []float64
	err := enumerate(maxIntervals, func(i int) error {
		iv, err := n.interval(i, f, width, height)
		if err != nil {
			return err
		}
		high, low := iv.shortest.rate(), iv.longest.rate()
		all = append(all, high)
		if high == low {
			return nil
		}
		for _, r := range [...]float64{60, 50, 30, 25, 20, 15, 10, 5} {
			if r < high && r > low {
				all = append(all, r)
			}
		}
		all = append(all, low)
		return nil
	})
	if len(all) == 0 {
		all = []float64{0}
	}
	return all, err
}

// choose returns the mode, or an error with the available ones. It selects the lowest sufficient frame rate, else the
// highest, since frames can be dropped but not invented.
func choose(n node, want camera.Mode) (camera.Mode, error) {
	have, err := modes(n)
	if err != nil {
		return camera.Mode{}, err
	}
	best, found := want, false
	for _, m := range have {
		if m.Format != want.Format || m.Width != want.Width || m.Height != want.Height {
			continue
		}
		if !found || better(want.FrameRate, m.FrameRate, best.FrameRate) {
			best, found = m, true
		}
	}
	if found {
		if best.FrameRate == 0 {
			best.FrameRate = want.FrameRate // the driver reports no rates: S_PARM returns the one it uses
		}
		return best, nil
	}
	if ok, err := inRange(n, want); err != nil || ok {
		return want, err
	}
	return camera.Mode{}, &camera.ModeError{Want: want, Have: have}
}

// better reports whether rate a is nearer to the requested one than b.
func better(want, a, b float64) bool {
	enough := func(r float64) bool { return r >= want*0.99 } // 14.99 is sufficient for 15
	switch {
	case want == 0:
		return a > b
	case enough(a) != enough(b):
		return enough(a)
	case enough(a):
		return a < b
	default:
		return a > b
	}
}

// inRange reports whether an unlisted size is within a range of sizes. If a driver lists no sizes any is accepted: the
// result is checked later.
func inRange(n node, want camera.Mode) (bool, error) {
	known, ok := false, false
	err := enumerate(maxFormats, func(i int) error {
		f, err := n.format(i)
		known = known || err == nil && f == want.Format
		return err
	})
	if err != nil || !known {
		return false, err
	}
	listed := false
	err = enumerate(maxSizes, func(j int) error {
		s, err := n.size(j, want.Format)
		if err == nil {
			listed, ok = true, ok || s.has(want.Width, want.Height)
		}
		return err
	})
	return ok || !listed, err
}

// configure sets the mode and checks the driver's result.
func configure(n node, mode camera.Mode) (layout, camera.Mode, error) {
	l, err := n.setFormat(mode.Format, mode.Width, mode.Height)
	if err != nil {
		return l, mode, err
	}
	if l.format != mode.Format || l.width != mode.Width || l.height != mode.Height {
		got := camera.Mode{Width: l.width, Height: l.height, Format: l.format}
		return l, mode, &camera.ModeError{Want: mode, Have: []camera.Mode{got}}
	}
	if !mode.Format.Compressed() {
		l.stride = max(l.stride, mode.Width*mode.Format.BytesPerPixel())
	}
	if mode.FrameRate == 0 {
		return l, mode, nil
	}
	got, err := n.setInterval(intervalOf(mode.FrameRate))
	switch {
	case errors.Is(err, syscall.ENOTTY), errors.Is(err, syscall.EINVAL): // one fixed rate, or not reported
		mode.FrameRate = 0
		return l, mode, nil
	case err != nil:
		return l, mode, err
	}
	mode.FrameRate = got.rate()
	return l, mode, nil
}

// intervalOf returns 1/rate in thousandths, exact for rates like 15, 7.5 and 29.97.
func intervalOf(rate float64) fraction {
	if r := math.Round(rate); math.Abs(rate-r) < 1e-6 {
		return fraction{1, uint32(r)}
	}
	return fraction{1000, uint32(math.Round(rate * 1000))}
}
