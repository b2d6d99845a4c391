// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestChooseMode(t *testing.T) {
	epuck := []Mode{{640, 480, YUYV, 15}}
	webcam := []Mode{
		{640, 480, MJPEG, 30}, {640, 480, YUYV, 30}, {640, 480, YUYV, 15}, {640, 480, YUYV, 5},
		{320, 240, YUYV, 30}, {1280, 720, YUYV, 10}, {1280, 720, MJPEG, 30}, {1280, 720, 0x34363248 /* H264 */, 60},
	}
	for _, c := range []struct {
		name  string
		modes []Mode
		s     Settings
		want  Mode
	}{
		{"default", epuck, Settings{}, epuck[0]},
		{"smaller is scaled", epuck, Settings{Width: 320, Height: 240}, epuck[0]},
		{"faster than it can", epuck, Settings{FrameRate: 60}, epuck[0]},
		{"exact rate", webcam, Settings{FrameRate: 15}, webcam[2]},
		{"next higher rate", webcam, Settings{FrameRate: 10}, webcam[2]},
		{"nearly the rate", webcam, Settings{FrameRate: 15.1}, webcam[2]},
		{"exact size", webcam, Settings{Width: 320, Height: 240}, webcam[4]},
		{"next larger size", webcam, Settings{Width: 400, Height: 200}, webcam[1]},
		{"fast enough before uncompressed", webcam, Settings{Width: 1280, Height: 720}, webcam[6]},
		{"uncompressed if fast enough", webcam, Settings{Width: 1280, Height: 720, FrameRate: 10}, webcam[5]},
		{"a format", webcam, Settings{Format: MJPEG}, webcam[0]},
		{"any rate", []Mode{{640, 480, YUYV, 0}}, Settings{FrameRate: 3}, Mode{640, 480, YUYV, 0}},
		{"colour before grey", []Mode{{640, 480, GREY, 15}, {640, 480, JPEG, 15}}, Settings{}, Mode{640, 480, JPEG, 15}},
	} {
		s := c.s.withDefaults()
		if strings.Contains(c.name, "next larger") {
			s.FrameRate = 30
		}
		if got, err := chooseMode(c.modes, s); got != c.want || err != nil {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestModeErrorListsModes(t *testing.T) {
	_, err := chooseMode([]Mode{{640, 480, YUYV, 15}, {160, 120, GREY, 0}}, Settings{Width: 800, Height: 600}.withDefaults())
	var mode *ModeError
	if !errors.Is(err, ErrMode) || !errors.As(err, &mode) || mode.Want.Width != 800 || len(mode.Have) != 2 {
		t.Fatalf("%#v", err)
	}
	const want = "camera: 800×600 none 15 frames/s is not available; there is: 640×480 YUYV 15 frames/s, 160×120 GREY"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
	if _, err := chooseMode(nil, Settings{}.withDefaults()); !strings.HasSuffix(err.Error(), "there is: nothing") {
		t.Errorf("%v", err)
	}
}

// TestChosenModeFits: whatever there is, the chosen mode is one of it, large enough, and no smaller one would do.
func TestChosenModeFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SampledFrom([]int{2, 10, 20, 30})
		mode := rapid.Custom(func(t *rapid.T) Mode {
			return Mode{side.Draw(t, "w"), side.Draw(t, "h"), rapid.SampledFrom([]PixelFormat{YUYV, MJPEG, GREY, 1}).Draw(t, "format"),
				rapid.SampledFrom([]float64{0, 5, 15, 30}).Draw(t, "rate")}
		})
		modes := rapid.SliceOfN(mode, 0, 6).Draw(t, "modes")
		s := Settings{Width: side.Draw(t, "want w"), Height: side.Draw(t, "want h"), FrameRate: 15}.withDefaults()
		got, err := chooseMode(modes, s)
		for _, m := range modes {
			if m.Format == 1 || m.Width < s.Width || m.Height < s.Height {
				continue
			}
			if err != nil {
				t.Fatalf("refused, but there is %v", m)
			}
			if m.Width*m.Height < got.Width*got.Height {
				t.Fatalf("%v chosen, but %v is smaller", got, m)
			}
		}
		if err == nil && (got.Width < s.Width || got.Height < s.Height || got.Format == 1) {
			t.Fatalf("%v chosen", got)
		}
	})
}
