// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func ispConfig(f camera.PixelFormat, width, height int) camera.ConverterConfig {
	return camera.ConverterConfig{Width: 640, Height: 480, Stride: 1280, Format: camera.YUYV, Range: yuv.Full,
		OutWidth: width, OutHeight: height, OutFormat: f}
}

func converter(t *testing.T, k *fakeKernel, cfg camera.ConverterConfig) *isp {
	t.Helper()
	c, err := newISP(k, options{}.withDefaults(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		k.clean(t)
	})
	return c
}

func TestConvert(t *testing.T) {
	f := bars(640, 480, 1280, 0)
	for _, c := range []struct {
		format        camera.PixelFormat
		width, height int
	}{
		{camera.RGB24, 640, 480}, {camera.RGB24, 320, 240}, {camera.BGR24, 160, 120}, {camera.RGB24, 100, 50}, {camera.YUYV, 200, 100},
	} {
		isp := converter(t, raspberry(t), ispConfig(c.format, c.width, c.height))
		if isp.Name() != "GPU (bcm2835-codec-isp, /dev/video12)" {
			t.Error(isp.Name())
		}
		got, err := isp.Convert([]byte{7}, f)
		if err != nil {
			t.Fatal(err)
		}
		bpp := c.format.BytesPerPixel()
		if len(got) != 1+c.width*c.height*bpp || got[0] != 7 {
			t.Fatalf("%d bytes", len(got))
		}
		for y := range c.height {
			for x := range c.width {
				want := int(f.Data[y*480/c.height*1280+2*(x*640/c.width)])
				if v := int(got[1+(y*c.width+x)*bpp]); v-want > 2 || want-v > 2 {
					t.Fatalf("%v %d×%d: pixel %d,%d is %d, want %d", c.format, c.width, c.height, x, y, v, want)
				}
			}
		}
	}
}

func TestConvertFaults(t *testing.T) {
	k := raspberry(t)
	k.dev(cardISP).plan = func(job int) fault { return []fault{fine, damaged, truncated, empty, oversize, fine}[job-1] }
	isp := converter(t, k, ispConfig(camera.RGB24, 320, 240))
	f := bars(640, 480, 1280, 0)
	for i, want := range []error{nil, camera.ErrFrame, camera.ErrFrame, camera.ErrFrame, camera.ErrFrame, nil} {
		got, err := isp.Convert(nil, f)
		if !errors.Is(err, want) || err != nil && len(got) != 0 {
			t.Errorf("picture %d: %v, %d bytes", i+1, err, len(got))
		}
	}
	if _, err := isp.Convert(nil, bars(64, 48, 128, 0)); !errors.Is(err, camera.ErrFrame) {
		t.Error(err)
	}
	k.dev(cardISP).gone = true
	if _, err := isp.Convert(nil, f); !errors.Is(err, unix.ENODEV) {
		t.Error(err)
	}
}

func TestISPRefuses(t *testing.T) {
	for _, cfg := range []camera.ConverterConfig{
		ispConfig(camera.GREY, 640, 480), ispConfig(camera.JPEG, 640, 480), ispConfig(camera.RGB24, 16, 480), ispConfig(camera.RGB24, 640, 3000),
	} {
		k := raspberry(t)
		if _, err := newISP(k, options{}.withDefaults(), cfg); !errors.Is(err, errFormat) {
			t.Errorf("%+v: %v", cfg, err)
		}
		k.clean(t)
	}
	k := raspberry(t)
	cfg := ispConfig(camera.RGB24, 320, 240)
	cfg.Width = 20
	if _, err := newISP(k, options{}.withDefaults(), cfg); !errors.Is(err, errFormat) {
		t.Error(err)
	}
	k.dev(cardISP).gives = []camera.PixelFormat{camera.YUYV}
	if _, err := newISP(k, options{}.withDefaults(), ispConfig(camera.RGB24, 320, 240)); !errors.Is(err, errFormat) {
		t.Error(err)
	}
	k.clean(t)
}

// TestBothQueuesGetTheSameColours: the driver keeps one set, the last it is given.
func TestBothQueuesGetTheSameColours(t *testing.T) {
	for r, want := range map[yuv.Range][2]uint32{yuv.Full: {spaceJPEG, rangeFull}, yuv.Limited: {spaceSMPTE, rangeLimited}} {
		k := raspberry(t)
		cfg := ispConfig(camera.RGB24, 320, 240)
		cfg.Range = r
		isp := converter(t, k, cfg)
		for _, q := range []*queue{&isp.s.out, &isp.s.in} {
			if q.pix.colorspace != want[0] || uint32(q.pix.quantization) != want[1] {
				t.Errorf("%v %v: colour space %d, quantization %d", r, q, q.pix.colorspace, q.pix.quantization)
			}
		}
	}
}
