// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
)

func open(t testing.TB, c *fakeCam) node {
	t.Helper()
	sys := newFakeSystem(t)
	sys.plug("/dev/video0", c)
	n, err := sys.open("/dev/video0")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestModes(t *testing.T) {
	got, err := deviceOf(t, webcam()).Modes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []camera.Mode{
		{Width: 1280, Height: 720, Format: camera.MJPEG, FrameRate: 30},
		{Width: 640, Height: 480, Format: camera.MJPEG, FrameRate: 30},
		{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 30},
		{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15},
		{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 5},
		{Width: 320, Height: 240, Format: camera.YUYV, FrameRate: 30},
		{Width: 320, Height: 240, Format: camera.YUYV, FrameRate: 15},
		{Width: 320, Height: 240, Format: camera.YUYV, FrameRate: 5},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// deviceOf returns a Device on a machine with that one camera.
func deviceOf(t testing.TB, c *fakeCam) *Device {
	sys := newFakeSystem(t)
	sys.plug("/dev/video0", c)
	return newDevice(Config{Device: "/dev/video0"}, sys)
}

func TestModesOfRanges(t *testing.T) {
	c := &fakeCam{list: []fakeMode{{camera.GREY, []sizes{{160, 700, 4, 120, 500, 2}}, []intervals{{fraction{1, 30}, fraction{1, 12}}}}}}
	got, err := deviceOf(t, c).Modes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, m := range got {
		text = append(text, m.String())
	}
	want := []string{
		"160×120 GREY 30 frames/s", "160×120 GREY 25 frames/s", "160×120 GREY 20 frames/s", "160×120 GREY 15 frames/s", "160×120 GREY 12 frames/s",
		"320×240 GREY 30 frames/s", "320×240 GREY 25 frames/s", "320×240 GREY 20 frames/s", "320×240 GREY 15 frames/s", "320×240 GREY 12 frames/s",
		"640×480 GREY 30 frames/s", "640×480 GREY 25 frames/s", "640×480 GREY 20 frames/s", "640×480 GREY 15 frames/s", "640×480 GREY 12 frames/s",
		"700×500 GREY 30 frames/s", "700×500 GREY 25 frames/s", "700×500 GREY 20 frames/s", "700×500 GREY 15 frames/s", "700×500 GREY 12 frames/s",
	}
	if d := cmp.Diff(want, text); d != "" {
		t.Error(d)
	}
}

func TestChoose(t *testing.T) {
	silent := &fakeCam{list: []fakeMode{{format: camera.YUYV}}}
	ranges := &fakeCam{list: []fakeMode{{camera.YUYV, []sizes{{32, 1000, 2, 32, 1000, 2}}, nil}}}
	for _, c := range []struct {
		cam        *fakeCam
		want, have camera.Mode
	}{
		{pipuck(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}},
		{pipuck(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 60}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}},
		{webcam(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}},
		{webcam(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 20}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 30}},
		{webcam(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 1}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 5}},
		{webcam(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 30}},
		{webcam(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15.01}, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}},
		{silent, camera.Mode{Width: 123, Height: 45, Format: camera.YUYV, FrameRate: 7}, camera.Mode{Width: 123, Height: 45, Format: camera.YUYV, FrameRate: 7}},
		{ranges, camera.Mode{Width: 124, Height: 46, Format: camera.YUYV, FrameRate: 7}, camera.Mode{Width: 124, Height: 46, Format: camera.YUYV, FrameRate: 7}},
		{ranges, camera.Mode{Width: 320, Height: 240, Format: camera.YUYV, FrameRate: 7}, camera.Mode{Width: 320, Height: 240, Format: camera.YUYV, FrameRate: 7}},
	} {
		got, err := choose(open(t, c.cam), c.want)
		if err != nil || got != c.have {
			t.Errorf("%v: %v, %v; want %v", c.want, got, err, c.have)
		}
	}
	for _, want := range []camera.Mode{
		{Width: 640, Height: 480, Format: camera.JPEG},
		{Width: 641, Height: 480, Format: camera.YUYV},
		{Width: 1280, Height: 720, Format: camera.YUYV},
		{},
	} {
		_, err := choose(open(t, webcam()), want)
		var m *camera.ModeError
		if !errors.As(err, &m) || m.Want != want || len(m.Have) != 8 {
			t.Errorf("%v: %v", want, err)
		}
	}
	if _, err := choose(open(t, ranges), camera.Mode{Width: 33, Height: 46, Format: camera.YUYV}); !errors.Is(err, camera.ErrMode) {
		t.Error(err)
	}
}

// TestBetterIsOrdered: whatever the order in which a driver lists its rates, the same one is chosen.
func TestBetterIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := rapid.SliceOfN(rapid.Uint32Range(1, 120), 1, 8).Draw(t, "rates")
		want := float64(rapid.Uint32Range(0, 130).Draw(t, "want"))
		best := float64(rates[0])
		for _, r := range rates {
			if better(want, float64(r), best) {
				best = float64(r)
			}
		}
		for _, r := range rates {
			if better(want, float64(r), best) {
				t.Fatalf("of %v for %v chose %v, but %v is better", rates, want, best, r)
			}
			if f := float64(r); want > 0 && f >= want && (best < want*0.99 || best > f) {
				t.Fatalf("of %v for %v chose %v, not %v", rates, want, best, f)
			}
		}
	})
}

func TestDriverSetsAnotherMode(t *testing.T) {
	c := webcam()
	c.fixed = &camera.Mode{Width: 352, Height: 288, Format: camera.YUYV}
	_, err := deviceOf(t, c).Open(t.Context(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV})
	if !errors.Is(err, camera.ErrMode) || !strings.Contains(err.Error(), "352×288 YUYV") {
		t.Error(err)
	}
	c.clean(t)
}

func TestRateThatCannotBeSet(t *testing.T) {
	c := webcam()
	c.failing("setInterval", syscall.ENOTTY)
	d := deviceOf(t, c)
	s, err := d.Open(t.Context(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15})
	if err != nil {
		t.Fatal(err)
	}
	if m := s.(*source).Mode(); m.FrameRate != 0 {
		t.Errorf("%v", m)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestEndlessEnumeration: a driver that never says EINVAL does not hang the program.
func TestEndlessEnumeration(t *testing.T) {
	n := 0
	if err := enumerate(maxSizes, func(int) error { n++; return nil }); err != nil || n != maxSizes {
		t.Error(n, err)
	}
	if err := enumerate(3, func(int) error { return syscall.EIO }); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
}

func TestIntervalOf(t *testing.T) {
	for rate, want := range map[float64]fraction{15: {1, 15}, 7.5: {1000, 7500}, 29.97: {1000, 29970}, 1: {1, 1}} {
		if got := intervalOf(rate); got != want {
			t.Errorf("%v: %v", rate, got)
		}
	}
	if (fraction{1, 0}).rate() != 0 || (fraction{0, 1}).rate() != 0 || (fraction{2, 15}).rate() != 7.5 {
		t.Error("rate")
	}
}
