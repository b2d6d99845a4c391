// SPDX-License-Identifier: Apache-2.0

package v4l2

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// A stamp may be this far from the moment the frame is fetched; beyond it the stamp is of another clock. No picture is
// of the future, but some drivers reckon with a delay that did not come (vivid: 0.9 frame): those count as taken now.
const (
	stampAhead  = time.Second
	stampBehind = 10 * time.Second
)

// stamp translates the kernel's stamp to the system clock: both clocks are read now, and the frame is as old by the one
// as by the other. So a step of the system clock (NTP, a robot without a clock battery) moves all stamps after it and
// none before. ok is false if the driver's stamp is of no use and the present time was taken.
func (s *Source) stamp(b buffer) (t time.Time, ok bool) {
	mono, now := s.sys.clocks()
	age := mono - b.stamp
	if !b.monotonic || age < -stampAhead || age > stampBehind {
		return now, false
	}
	return now.Add(-max(age, 0)), true
}

// rangeOf says which values stand for black and white. The kernel's rule for YUV is limited range unless the driver
// says otherwise or the colours are JPEG's. Of USB cameras nothing is known: uvcvideo never sets the field, whatever
// comes out of the sensor.
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
