// SPDX-License-Identifier: Apache-2.0

package health

import (
	"github.com/epuck-ros2/epuck-driver/camera"
)

// camera writes the status of the camera; its sensor is a separate part.
func (r *Report) camera(t *textArena) {
	c, before := &r.vitals.now.Camera, &r.vitals.before.Camera
	t.status(StatusCamera, cameraMessage(c), c.Device)
	t.word("mode", modeText(c.Mode))
	t.number("frame rate (Hz)", c.FrameRate)
	t.word("encoder", orNone(c.Encoder))
	t.word("encoder because", orNone(c.EncoderReason))
	t.word("converter", orNone(c.Converter))
	t.word("converter because", orNone(c.ConverterReason))
	t.count("frames", c.Frames)
	t.count("frames lost by the camera", c.Lost)
	t.count("frames damaged", c.Damaged)
	t.count("frames left out by the frame rate", c.LeftOut)
	t.count("frames skipped", c.Skipped)
	t.count("pictures", c.Pictures)
	t.number("pictures per second", r.vitals.perSecond(c.Pictures, before.Pictures))
	var dropped uint64
	for _, s := range c.Sinks {
		dropped += s.Dropped
	}
	t.count("pictures dropped by slow topics", dropped)
	t.count("opened", c.Opened)
	t.count("failures", c.Failures)
	t.millis("first picture after (ms)", c.FirstImage)
	t.failure("last error", c.LastError)
}

// cameraMessage summarises the camera's state.
func cameraMessage(c *camera.Status) string {
	switch {
	case !c.Wanted:
		return "closed, no subscribers"
	case c.Open:
		return "works"
	default:
		return "is being opened"
	}
}

func modeText(m camera.Mode) string {
	if m == (camera.Mode{}) {
		return "none"
	}
	return m.String()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// cameraConditions returns the conditions of the camera.
func cameraConditions() []Condition {
	const gone = StatusCamera + ".gone"
	return []Condition{
		{gone, StatusCamera, severityError, "the camera can't be opened or sends nothing; it is tried again: check its cable and `camera.device`", nil,
			func(v *vitals) bool {
				c := &v.now.Camera
				return c.Wanted && c.LastError != nil && (!c.Open || c.Frames == v.before.Camera.Frames)
			}},
		{StatusCamera + ".damaged", StatusCamera, severityWarning, "more than a tenth of the frames are lost or damaged: check the cable and the load", []string{gone},
			func(v *vitals) bool {
				c, b := &v.now.Camera, &v.before.Camera
				bad := c.Damaged - b.Damaged + c.Lost - b.Lost
				return bad*10 > c.Frames-b.Frames+c.Lost-b.Lost
			}},
		{StatusCamera + ".slow", StatusCamera, severityWarning,
			"more than half of the frames are skipped, since making pictures of them takes too long: lower size, `camera.quality` or `camera.framerate`, or subscribe to less", []string{gone},
			func(v *vitals) bool {
				c, b := &v.now.Camera, &v.before.Camera
				return (c.Skipped-b.Skipped)*2 > c.Frames-b.Frames
			}},
	}
}
