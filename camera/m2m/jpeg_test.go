// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// bars makes a YUYV frame of grey bars that depend on number, with a white last column pair.
func bars(width, height, stride, number int) *camera.Frame {
	data := bytes.Repeat([]byte{0x55}, stride*height) // the gaps between rows must not show
	for y := range height {
		for x := range width {
			v := byte(30 + (x/16+number)%8*24)
			if x >= width-2 {
				v = 235
			}
			data[y*stride+2*x], data[y*stride+2*x+1] = v, 128
		}
	}
	return &camera.Frame{Data: data, Format: camera.YUYV, Width: width, Height: height, Stride: stride, Sequence: uint32(number)}
}

func vgaConfig() camera.EncoderConfig {
	return camera.EncoderConfig{Width: 640, Height: 480, Stride: 1280, Format: camera.YUYV, Range: yuv.Full, Quality: 80}
}

func smallConfig() camera.EncoderConfig {
	return camera.EncoderConfig{Width: 64, Height: 48, Stride: 128, Format: camera.YUYV, Range: yuv.Full, Quality: 80}
}

func encoder(t testing.TB, k *fakeKernel, cfg camera.EncoderConfig, o options) *jpegEncoder {
	t.Helper()
	e, err := newJPEG(k, o.withDefaults(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		k.clean(t)
	})
	return e
}

// checkPicture compares a JPEG file with the frame it came from, to the last column.
func checkPicture(t testing.TB, file []byte, f *camera.Frame) {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounds() != image.Rect(0, 0, f.Width, f.Height) {
		t.Fatalf("picture is %v", m.Bounds())
	}
	luma := m.(*image.YCbCr)
	for y := range f.Height {
		for x := range f.Width {
			if got, want := int(luma.Y[luma.YOffset(x, y)]), int(f.Data[y*f.Stride+2*x]); got-want > 40 || want-got > 40 {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, got, want)
			}
		}
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct{ width, height, stride int }{
		{640, 480, 1280},
		{640, 480, 1408}, // rows of the frame have gaps, the GPU's have none
		{160, 120, 320},  // the GPU rounds the height up to 128
		{100, 50, 200},   // rows of 200 bytes in 256
		{32, 32, 64},
	} {
		cfg := camera.EncoderConfig{Width: c.width, Height: c.height, Stride: c.stride, Format: camera.YUYV, Range: yuv.Full, Quality: 90}
		e := encoder(t, raspberry(t), cfg, options{})
		prefix := []byte("header")
		for i := range 5 {
			f := bars(c.width, c.height, c.stride, i)
			got, err := e.Encode(prefix, f)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(got, prefix) {
				t.Error("what was in the buffer is gone")
			}
			checkPicture(t, got[len(prefix):], f)
		}
	}
}

func TestName(t *testing.T) {
	k := raspberry(t)
	e := encoder(t, k, smallConfig(), options{})
	if e.Name() != "GPU (bcm2835-codec-encode_image, /dev/video31)" || e.Depth() != defaultDepth {
		t.Error(e.Name(), e.Depth())
	}
}

func TestQuality(t *testing.T) {
	k := raspberry(t)
	e := encoder(t, k, vgaConfig(), options{})
	size := map[int]int{}
	for _, q := range []int{10, 50, 95} {
		if err := e.SetQuality(q); err != nil {
			t.Fatal(err)
		}
		got, err := e.Encode(nil, bars(640, 480, 1280, 0))
		if err != nil {
			t.Fatal(err)
		}
		size[q] = len(got)
	}
	if size[10] >= size[50] || size[50] >= size[95] {
		t.Errorf("%v", size)
	}
	for _, q := range []int{0, -1, 101} {
		if err := e.SetQuality(q); !errors.Is(err, camera.ErrSetting) {
			t.Errorf("%d: %v", q, err)
		}
	}
	if got := k.dev(cardJPEG).quality; got != 95 {
		t.Errorf("quality is %d after refused ones", got)
	}
}

func TestSeveralInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := raspberry(t)
		k.dev(cardJPEG).latency = 30 * time.Millisecond
		e := encoder(t, k, smallConfig(), options{Depth: 3})
		next := 0
		for e.Submit(bars(64, 48, 128, next)) == nil {
			next++
		}
		if err := e.Submit(bars(64, 48, 128, 0)); next != 3 || !errors.Is(err, camera.ErrBusy) {
			t.Errorf("%d in flight, then %v", next, err)
		}
		for i := range 40 {
			got, err := e.Receive(nil)
			if err != nil {
				t.Fatal(err)
			}
			checkPicture(t, got, bars(64, 48, 128, i))
			if err := e.Submit(bars(64, 48, 128, next)); err != nil {
				t.Fatal(err)
			}
			next++
		}
	})
}

func TestFewBuffers(t *testing.T) {
	t.Run("driver gives one", func(t *testing.T) {
		k := raspberry(t)
		k.dev(cardJPEG).most = 1
		if e := encoder(t, k, smallConfig(), options{}); e.Depth() != 1 {
			t.Error(e.Depth())
		}
	})
	t.Run("memory for one", func(t *testing.T) {
		k := raspberry(t)
		k.dev(cardJPEG).memory = 5 << 20 // one result of 4 MiB fits, two don't
		e := encoder(t, k, smallConfig(), options{})
		if e.Depth() != 1 {
			t.Error(e.Depth())
		}
		if _, err := e.Encode(nil, bars(64, 48, 128, 0)); err != nil {
			t.Error(err)
		}
	})
	t.Run("no memory", func(t *testing.T) {
		k := raspberry(t)
		k.dev(cardJPEG).memory = 1 << 20
		if _, err := newJPEG(k, options{}.withDefaults(), smallConfig()); !errors.Is(err, unix.ENOMEM) || !strings.Contains(err.Error(), "REQBUFS CAPTURE") {
			t.Error(err)
		}
		k.clean(t)
	})
}

func TestNoDevice(t *testing.T) {
	k := raspberry(t)
	k.devs = k.devs[:3] // a kernel from before March 2022
	_, err := newJPEG(k, options{}.withDefaults(), smallConfig())
	if !errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), `/dev/video12 ("bcm2835-codec-isp")`) {
		t.Error(err)
	}
	_, err = newJPEG(&fakeKernel{t: t}, options{}.withDefaults(), smallConfig())
	if err == nil || !strings.Contains(err.Error(), "there is: none") {
		t.Error(err)
	}
	_, err = newJPEG(k, options{JPEG: "/dev/video0"}.withDefaults(), smallConfig())
	if !errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), "not a multi-planar") {
		t.Error(err)
	}
	k = raspberry(t)
	k.err["/dev/video31"] = unix.EACCES
	_, err = newJPEG(k, options{JPEG: "/dev/video31"}.withDefaults(), smallConfig())
	if !errors.Is(err, ErrNoDevice) || !errors.Is(err, unix.EACCES) {
		t.Error(err)
	}
	k.dev(cardISP).failing("QUERYCAP", unix.EIO)
	if _, err = newISP(k, options{}.withDefaults(), ispConfig(camera.RGB24, 64, 48)); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
	k.clean(t)
}

func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*camera.EncoderConfig){
		"grey":       func(c *camera.EncoderConfig) { c.Format = camera.GREY },
		"compressed": func(c *camera.EncoderConfig) { c.Format = camera.MJPEG },
		"too wide":   func(c *camera.EncoderConfig) { c.Width = 1922 },
		"odd":        func(c *camera.EncoderConfig) { c.Width = 641 },
		"too small":  func(c *camera.EncoderConfig) { c.Height = 31 },
	} {
		k := raspberry(t)
		cfg := smallConfig()
		change(&cfg)
		if _, err := newJPEG(k, options{}.withDefaults(), cfg); !errors.Is(err, errFormat) {
			t.Errorf("%s: %v", name, err)
		}
		k.clean(t)
	}
	k := raspberry(t)
	cfg := smallConfig()
	cfg.Quality = 0
	if _, err := newJPEG(k, options{}.withDefaults(), cfg); !errors.Is(err, camera.ErrSetting) {
		t.Error(err)
	}
	k.clean(t)
}

func TestWrongFrames(t *testing.T) {
	k := raspberry(t)
	e := encoder(t, k, smallConfig(), options{})
	other := bars(96, 48, 192, 0)
	short := bars(64, 48, 128, 0)
	short.Data = short.Data[:100]
	for _, f := range []*camera.Frame{other, short} {
		if _, err := e.Encode(nil, f); !errors.Is(err, camera.ErrFrame) {
			t.Error(err)
		}
	}
	if _, err := e.Encode(nil, bars(64, 48, 128, 0)); err != nil {
		t.Error(err)
	}
}

// TestLastRowNeedNotBeFull: a frame with gaps may end with its last pixel.
func TestLastRowNeedNotBeFull(t *testing.T) {
	cfg := smallConfig()
	cfg.Stride = 192
	e := encoder(t, raspberry(t), cfg, options{})
	f := bars(64, 48, 192, 3)
	f.Data = f.Data[:47*192+128]
	got, err := e.Encode(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, got, f)
}

func TestAllocations(t *testing.T) {
	file, err := encoder(t, raspberry(t), smallConfig(), options{}).Encode(nil, bars(64, 48, 128, 0))
	if err != nil {
		t.Fatal(err)
	}
	k := raspberry(t)
	k.dev(cardJPEG).work = func(*fakeFile, []byte, int64) []byte { return file }
	e := encoder(t, k, smallConfig(), options{})
	f := bars(64, 48, 128, 0)
	dst := make([]byte, 0, 1<<16)
	before := measureFake(t, k)
	if n := testing.AllocsPerRun(50, func() {
		if _, err := e.Encode(dst, f); err != nil {
			t.Fatal(err)
		}
	}); n > before {
		t.Errorf("%v allocations a frame, of which the fake makes %v", n, before)
	}
}

// measureFake counts the allocations the fake makes itself for a frame: its table of names of requests, four times.
func measureFake(t *testing.T, k *fakeKernel) float64 {
	n, err := k.Open("/dev/video31")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	q := &queue{node: n, kind: queueOutput}
	return testing.AllocsPerRun(10, func() {
		for range 5 { // QBUF, DQBUF of both queues, and the DQBUF that finds nothing
			_, _ = q.dequeue()
		}
	})
}

func TestSizeOf(t *testing.T) {
	e := encoder(t, raspberry(t), smallConfig(), options{})
	file, err := e.Encode(nil, bars(64, 48, 128, 0))
	if err != nil {
		t.Fatal(err)
	}
	if w, h, ok := sizeOf(file); w != 64 || h != 48 || !ok {
		t.Error(w, h, ok)
	}
	for _, bad := range [][]byte{nil, {0xFF, 0xD8}, {0xFF, 0xD8, 0xFF, 0xD9}, {0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, file[:20]} {
		if _, _, ok := sizeOf(bad); ok {
			t.Errorf("% x has a size", bad)
		}
	}
}

func FuzzJPEGHeader(f *testing.F) {
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xFF, 0xC0, 0, 17, 8, 0, 48, 0, 64, 3, 0xFF, 0xD9, 0, 0})
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xD9, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, ok := wholeJPEG(data)
		if ok && (len(file) > len(data) || !bytes.HasSuffix(file, []byte{0xFF, 0xD9})) {
			t.Fatalf("% x", file)
		}
		if w, h, ok := sizeOf(data); !ok && (w != 0 || h != 0) {
			t.Fatal("an invalid size was accepted")
		}
	})
}
