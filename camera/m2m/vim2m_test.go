// SPDX-License-Identifier: Apache-2.0

//go:build vm

package m2m

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// The tests of this file run in the virtual machine of `make test-vm`, on the kernel's memory-to-memory test driver: vim2m,
// loaded with `multiplanar=2`. It converts between YUYV and RGB, in buffers as the GPU's.

var vim2m = Options{ISP: "vim2m", JPEG: "vim2m", Depth: 3}

func openVim2m(t *testing.T, out camera.PixelFormat, width, height int) *ISP {
	t.Helper()
	cfg := ispConfig(out, width, height)
	cfg.Width, cfg.Height, cfg.Stride = width, height, 2*width // it converts, and does not scale
	c, err := vim2m.NewISP(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if n := mappings(t); n != 0 {
			t.Errorf("%d buffers are still mapped", n)
		}
	})
	return c.(*ISP)
}

func mappings(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "/dev/video")
}

func TestVim2mConverts(t *testing.T) {
	for _, format := range []camera.PixelFormat{camera.RGB24, camera.BGR24, camera.YUYV} {
		c := openVim2m(t, format, 640, 480)
		for i := range 4 {
			f := bars(640, 480, 1280, i)
			got, err := c.Convert(nil, f)
			if err != nil {
				t.Fatal(err)
			}
			bpp := format.BytesPerPixel()
			if len(got) != 640*480*bpp {
				t.Fatalf("%v: %d bytes", format, len(got))
			}
			for y := 0; y < 480; y += 7 {
				for x := range 640 {
					want := int(f.Data[y*1280+2*x])
					if format != camera.YUYV { // it takes its YUV for limited range
						want = min(max((want-16)*255/219, 0), 255)
					}
					if v := int(got[(y*640+x)*bpp]); v-want > 3 || want-v > 3 {
						t.Fatalf("%v picture %d: pixel %d,%d is %d, want %d", format, i, x, y, v, want)
					}
				}
			}
		}
		t.Logf("%s: %v, %d in flight", c.Name(), format, c.s.depth)
	}
}

// TestVim2mInFlight has three pictures in the device at a time, submitted and received by two goroutines.
func TestVim2mInFlight(t *testing.T) {
	c := openVim2m(t, camera.YUYV, 320, 240)
	const pictures = 30
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; i < pictures; {
			f := bars(320, 240, 640, i)
			switch err := c.s.submit(f.Data, f.Stride, 640, 240); {
			case err == nil:
				i++
			case !errors.Is(err, camera.ErrBusy):
				t.Error(err)
				return
			}
		}
	})
	for i := range pictures {
		var first byte
		if err := c.s.receive(func(data []byte) error { first = data[0]; return nil }); err != nil {
			t.Fatal(err)
		}
		if want := bars(320, 240, 640, i).Data[0]; first != want {
			t.Fatalf("picture %d begins with %d, want %d", i, first, want)
		}
	}
	wg.Wait()
}

func TestVim2mAllocations(t *testing.T) {
	c := openVim2m(t, camera.RGB24, 64, 48)
	f := bars(64, 48, 128, 0)
	dst := make([]byte, 0, 64*48*3)
	if n := testing.AllocsPerRun(20, func() {
		if _, err := c.Convert(dst, f); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a picture", n)
	}
}

func TestVim2mRefuses(t *testing.T) {
	if _, err := vim2m.NewJPEGEncoder(smallConfig()); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "JPEG") {
		t.Errorf("it makes no JPEG: %v", err)
	}
	if n := mappings(t); n != 0 {
		t.Errorf("%d buffers are mapped", n)
	}
}

func TestVim2mCloseInFlight(t *testing.T) {
	for range 20 {
		c := openVim2m(t, camera.RGB24, 640, 480)
		f := bars(640, 480, 1280, 0)
		if err := c.s.submit(f.Data, f.Stride, 1280, 480); err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() { got <- c.s.receive(func([]byte) error { return nil }) }()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-got; err != nil && !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
	}
}
