// SPDX-License-Identifier: Apache-2.0

//go:build linux && vm

package m2m

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// The tests of this file run in the virtual machine of `make test-vm`, on the kernel's virtual codec: vicodec, loaded
// with `multiplanar=1`. Its encoder is a device like the GPU's: multi-planar, raw pictures in, compressed ones out.

const fwht = 'F' | 'W'<<8 | 'H'<<16 | 'T'<<24 // V4L2_PIX_FMT_FWHT, what vicodec makes

func openVicodec(t *testing.T, width, height, depth int) *session {
	t.Helper()
	result := picture(fwht, width, height, 0, 0)
	result.planes[0].sizeImage = uint32(width * height * 4)
	s, err := start(linux{"/dev"}, options{Depth: depth}.withDefaults(), "vicodec", picture(camera.YUYV, width, height, 0, 0), result)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if n := mappings(t); n != 0 {
			t.Errorf("%d buffers are still mapped", n)
		}
	})
	return s
}

func mappings(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "/dev/video")
}

func send(s *session, f *camera.Frame) error {
	return s.submit(f.Data, f.Stride, 2*f.Width, f.Height)
}

// checkFrame reads the header of a compressed frame (struct fwht_cframe_hdr: two magic words, then big-endian version,
// width, height, flags, four words on colours, size).
func checkFrame(data []byte, width, height int) error {
	if len(data) < 44 {
		return fmt.Errorf("%d bytes", len(data))
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	if word(0) != 0x4f4f4f4f || word(3) != width || word(4) != height || word(10) != len(data)-44 {
		return fmt.Errorf("% x…, %d bytes", data[:44], len(data))
	}
	return nil
}

func TestVicodecEncodes(t *testing.T) {
	for _, c := range [][2]int{{640, 480}, {1280, 720}, {640, 360}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			s := openVicodec(t, c[0], c[1], 2)
			for i := range 5 {
				if err := send(s, bars(c[0], c[1], 2*c[0]+64, i)); err != nil {
					t.Fatal(err)
				}
				if err := s.receive(func(data []byte) error { return checkFrame(data, c[0], c[1]) }); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%s: %d in flight", s.name(), s.depth)
		})
	}
}

// TestVicodecInFlight has three pictures in the device at a time, submitted and received by two goroutines. That each
// result is its picture's is checked by session itself: the numbers travel through the kernel.
func TestVicodecInFlight(t *testing.T) {
	s := openVicodec(t, 640, 360, 3)
	if s.depth != 3 {
		t.Errorf("%d in flight", s.depth)
	}
	const pictures = 60
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; i < pictures; {
			switch err := send(s, bars(640, 360, 1280, i)); {
			case err == nil:
				i++
			case errors.Is(err, camera.ErrBusy):
				runtime.Gosched()
			default:
				t.Error(err)
				return
			}
		}
	})
	for i := range pictures {
		if err := s.receive(func(data []byte) error { return checkFrame(data, 640, 360) }); err != nil {
			t.Fatal(i, err)
		}
	}
	wg.Wait()
}

func TestVicodecAllocations(t *testing.T) {
	s := openVicodec(t, 640, 360, 1)
	f := bars(640, 360, 1280, 0)
	use := func(data []byte) error { return checkFrame(data, 640, 360) }
	if n := testing.AllocsPerRun(20, func() {
		if err := send(s, f); err != nil {
			t.Fatal(err)
		}
		if err := s.receive(use); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a picture", n)
	}
}

// TestVicodecRules: the kernel itself refuses what the model of it in fakeioctl_test.go refuses.
func TestVicodecRules(t *testing.T) {
	if _, err := (options{JPEG: "vicodec"}).newJPEGEncoder(smallConfig()); !errors.Is(err, errFormat) {
		t.Errorf("it makes no JPEG: %v", err)
	}
	if n := mappings(t); n != 0 {
		t.Errorf("%d buffers are mapped", n)
	}
	s := openVicodec(t, 640, 360, 2)
	if err := s.out.setFormat(picture(camera.YUYV, 640, 480, 0, 0)); !errors.Is(err, unix.EBUSY) {
		t.Errorf("S_FMT with buffers: %v", err)
	}
	if err := s.in.put(0, 0, 0); !errors.Is(err, unix.EINVAL) {
		t.Errorf("QBUF of a queued buffer: %v", err)
	}
	if _, err := s.in.dequeue(); !errors.Is(err, unix.EAGAIN) {
		t.Errorf("DQBUF with nothing done: %v", err)
	}
	if err := s.out.stream(false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.out.dequeue(); !errors.Is(err, unix.EINVAL) {
		t.Errorf("DQBUF while stopped: %v", err)
	}
	if err := s.control(jpegQuality, 50); !errors.Is(err, unix.EINVAL) {
		t.Errorf("S_CTRL it does not have: %v", err)
	}
}

func TestVicodecCloseInFlight(t *testing.T) {
	for range 20 {
		s := openVicodec(t, 640, 480, 2)
		if err := send(s, bars(640, 480, 1280, 0)); err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() { got <- s.receive(func([]byte) error { return nil }) }()
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if err := <-got; err != nil && !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
	}
}
