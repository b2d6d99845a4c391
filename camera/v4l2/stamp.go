// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// A stamp may differ by this much from the time of Read; otherwise it is of another clock. Some drivers add a delay
// that did not occur (vivid: 0.9 frame), so their stamps are in the future: these are replaced by the current time.
const (
	stampAhead  = time.Second
	stampBehind = 10 * time.Second
)

// stamp converts the kernel's stamp to the system clock: both clocks are read now, and the frame has the same age in
// both. So a step of the system clock (NTP, a robot without a clock battery) affects only later stamps. ok is false if
// the driver's stamp is unusable and the current time is returned.
func (s *source) stamp(b buffer) (t time.Time, ok bool) {
	mono, now := s.sys.clocks()
	age := mono - b.stamp
	if !b.monotonic || age < -stampAhead || age > stampBehind {
		return now, false
	}
	return now.Add(-max(age, 0)), true
}

// rangeOf returns the range of the values. The kernel's rule for YUV is limited range unless the driver reports
// another, or the colours are JPEG's. For USB cameras it is unknown: uvcvideo does not set the field.
func rangeOf(info Info, l layout) yuv.Range {
	switch {
	case l.format != camera.YUYV && l.format != camera.GREY:
		return yuv.Unspecified
	case l.quantization == quantizationFull:
		return yuv.Full
	case l.quantization != quantizationDefault:
		return yuv.Limited
	case info.Driver == driverUVC:
		return yuv.Unspecified
	case l.colorspace == colorspaceJPEG:
		return yuv.Full
	case l.format == camera.GREY:
		return yuv.Unspecified
	default:
		return yuv.Limited
	}
}
