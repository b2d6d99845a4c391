// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

var vga = camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}

// opened returns a running camera on a machine of its own.
func opened(t testing.TB, c *fakeCam, cfg Config) (*fakeSystem, *source) {
	t.Helper()
	sys := newFakeSystem(t)
	sys.plug("/dev/video0", c)
	s, err := newDevice(cfg, sys).Open(context.Background(), vga)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		c.clean(t)
	})
	return sys, s.(*source)
}

// read reads one frame.
func read(t testing.TB, s *source) (camera.Frame, func()) {
	t.Helper()
	f, release, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return f, release
}

func TestFrames(t *testing.T) {
	c := pipuck()
	sys, s := opened(t, c, Config{})
	if n := c.buffersIn(); n != defaultBuffers {
		t.Errorf("%d buffers", n)
	}
	for i := range 20 {
		c.shoot(func(b *buffer) { b.stamp = sys.mono - 40*time.Millisecond })
		f, release := read(t, s)
		want := camera.Frame{Format: camera.YUYV, Width: 640, Height: 480, Stride: 1280,
			Stamp: sys.now.Add(-40 * time.Millisecond), Sequence: uint32(i)}
		if d := cmp.Diff(want, f, cmpopts.IgnoreFields(f, "Data")); d != "" {
			t.Error(d)
		}
		if err := f.Check(); err != nil || len(f.Data) != 614400 || f.Data[0] != byte(i+1) {
			t.Errorf("frame %d: %v, %d bytes, %d", i, err, len(f.Data), f.Data[0])
		}
		release()
	}
	if got := s.Stats(); got != (Stats{Frames: 20}) {
		t.Errorf("%+v", got)
	}
	if s.Info().Path != "/dev/video0" || s.Mode() != vga {
		t.Errorf("%v %v", s.Info(), s.Mode())
	}
}

func TestNewestFirst(t *testing.T) {
	c := pipuck()
	_, s := opened(t, c, Config{})
	for range 5 {
		c.shoot()
	}
	f, release := read(t, s)
	if f.Sequence != 4 {
		t.Errorf("frame %d, not the newest", f.Sequence)
	}
	if n := c.buffersIn(); n != defaultBuffers-1 {
		t.Errorf("%d of %d buffers can be filled", n, defaultBuffers)
	}
	release()
	release() // twice does no harm
	if got := s.Stats(); got.Skipped != 4 || got.Frames != 1 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLost(t *testing.T) {
	for _, c := range []struct {
		name string
		seq  []uint32
		want uint64
	}{
		{"none", []uint32{7, 8, 9}, 0},
		{"two", []uint32{0, 3, 4}, 2},
		{"around the end", []uint32{0xfffffffe, 0xffffffff, 1, 2}, 1},
		{"camera started counting again", []uint32{900, 0, 1}, 0},
		{"the same again", []uint32{5, 5, 6}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cam := pipuck()
			_, s := opened(t, cam, Config{})
			for _, q := range c.seq {
				cam.shoot(func(b *buffer) { b.sequence = q })
				f, release := read(t, s)
				if f.Sequence != q {
					t.Error(f.Sequence)
				}
				release()
			}
			if got := s.Stats().Lost; got != c.want {
				t.Errorf("%d lost, want %d", got, c.want)
			}
		})
	}
}

func TestDamaged(t *testing.T) {
	for name, change := range map[string]func(*buffer){
		"flag":     func(b *buffer) { b.damaged = true },
		"short":    func(b *buffer) { b.used-- },
		"empty":    func(b *buffer) { b.used = 0 },
		"too long": func(b *buffer) { b.used++ },
	} {
		t.Run(name, func(t *testing.T) {
			c := pipuck()
			_, s := opened(t, c, Config{})
			c.shoot(change)
			_, release, err := s.Read()
			if !errors.Is(err, camera.ErrFrame) || release != nil {
				t.Errorf("%v", err)
			}
			c.shoot()
			f, release := read(t, s)
			if f.Sequence != 1 {
				t.Error(f.Sequence)
			}
			release()
			if got := s.Stats(); got.Damaged != 1 || got.Frames != 1 || c.buffersIn() != defaultBuffers {
				t.Errorf("%+v, %d buffers", got, c.buffersIn())
			}
		})
	}
}

func TestCompressedFrames(t *testing.T) {
	c := webcam()
	sys := newFakeSystem(t)
	sys.plug("/dev/video0", c)
	s, err := newDevice(Config{}, sys).Open(t.Context(), camera.Mode{Width: 1280, Height: 720, Format: camera.MJPEG})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c.shoot(func(b *buffer) { b.used = 1234 })
	f, release, err := s.Read()
	if err != nil || len(f.Data) != 1234 || f.Stride != 0 || f.Width != 1280 {
		t.Errorf("%d bytes, stride %d, %v", len(f.Data), f.Stride, err)
	}
	release()
}

func TestStamp(t *testing.T) {
	sys, s := opened(t, pipuck(), Config{})
	for _, c := range []struct {
		name      string
		age       time.Duration
		monotonic bool
		want      time.Duration
		ok        bool
	}{
		{"just now", 0, true, 0, true},
		{"one frame ago", 66 * time.Millisecond, true, 66 * time.Millisecond, true},
		{"reader was away", 9 * time.Second, true, 9 * time.Second, true},
		{"of the future", -58 * time.Millisecond, true, 0, true},
		{"another clock", -time.Hour, true, 0, false},
		{"zero", sys.mono, true, 0, false},
		{"clock not reported", 66 * time.Millisecond, false, 0, false},
	} {
		got, ok := s.stamp(buffer{stamp: sys.mono - c.age, monotonic: c.monotonic})
		if d := sys.now.Sub(got); d != c.want || ok != c.ok {
			t.Errorf("%s: %v before now, %v; want %v, %v", c.name, d, ok, c.want, c.ok)
		}
	}
}

func TestUnstampedIsCounted(t *testing.T) {
	c := pipuck()
	sys, s := opened(t, c, Config{})
	c.shoot(func(b *buffer) { b.monotonic = false })
	f, release := read(t, s)
	release()
	if !f.Stamp.Equal(sys.now) || s.Stats().Unstamped != 1 {
		t.Errorf("%v %+v", f.Stamp, s.Stats())
	}
}

// TestSystemClockSteps: a step of the system clock moves the stamps after it.
func TestSystemClockSteps(t *testing.T) {
	sys, s := opened(t, pipuck(), Config{})
	b := buffer{stamp: sys.mono, monotonic: true}
	before, _ := s.stamp(b)
	sys.mono, sys.now = sys.mono+time.Second, sys.now.Add(time.Second)
	same, _ := s.stamp(b)
	sys.now = sys.now.Add(time.Hour)
	after, _ := s.stamp(b)
	if !same.Equal(before) || after.Sub(before) != time.Hour {
		t.Errorf("%v %v %v", before, same, after)
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		driver       string
		format       camera.PixelFormat
		quant, space uint32
		want         yuv.Range
	}{
		{"uvcvideo", camera.YUYV, 0, 8, yuv.Unspecified},
		{"uvcvideo", camera.YUYV, 1, 8, yuv.Full},
		{"uvcvideo", camera.YUYV, 2, 8, yuv.Limited},
		{"vivid", camera.YUYV, 0, 8, yuv.Limited},
		{"vivid", camera.YUYV, 0, colorspaceJPEG, yuv.Full},
		{"vivid", camera.YUYV, 1, 8, yuv.Full},
		{"vivid", camera.GREY, 0, 8, yuv.Unspecified},
		{"vivid", camera.RGB24, 2, 8, yuv.Unspecified},
	} {
		if got := rangeOf(Info{Driver: c.driver}, layout{format: c.format, quantization: c.quant, colorspace: c.space}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := opened(t, pipuck(), Config{Timeout: 3 * time.Second})
		start := time.Now()
		_, _, err := s.Read()
		if !errors.Is(err, camera.ErrTimeout) || time.Since(start) != 3*time.Second || !strings.Contains(err.Error(), "0 of 6") {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestReadWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pipuck()
		_, s := opened(t, c, Config{})
		go func() { time.Sleep(time.Second); c.shoot() }()
		start := time.Now()
		_, release := read(t, s)
		release()
		if time.Since(start) != time.Second {
			t.Error(time.Since(start))
		}
	})
}

func TestCloseEndsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pipuck()
		_, s := opened(t, c, Config{})
		got := make(chan error)
		go func() { _, _, err := s.Read(); got <- err }()
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-got; !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseWithHeldFramesOnOldKernels: REQBUFS(0) says EBUSY while something is mapped.
func TestCloseWithHeldFramesOnOldKernels(t *testing.T) {
	c := pipuck()
	_, s := opened(t, c, Config{})
	c.shoot()
	_, release := read(t, s)
	c.failing("request", syscall.EBUSY)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	release()
}

func TestErrorsNeedNoStop(t *testing.T) {
	c := pipuck()
	c.limit = 2 // a driver with little memory
	_, s := opened(t, c, Config{Buffers: 99})
	if n := len(s.slots); n != 2 {
		t.Error(n)
	}
	c.shoot()
	_, release := read(t, s)
	c.failing("queue", syscall.EIO) // returning a buffer fails: no report, Read detects it
	release()
	c.failing("queue", nil)
}

func TestNames(t *testing.T) {
	sys := newFakeSystem(t)
	d := newDevice(Config{Device: "puck"}, sys)
	if d.Name() != "puck" || New(Config{}).Name() != "auto" {
		t.Error(d.Name())
	}
	sys.plug("/dev/video7", pipuck())
	if _, err := d.Modes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := `/dev/video7 (uvcvideo "Pi-puck Camera Interface: Pi-p")`; d.Name() != want {
		t.Error(d.Name())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Open(ctx, vga); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	sys.openErr["/dev/video7"] = syscall.EACCES
	if _, err := d.Open(t.Context(), vga); !errors.Is(err, camera.ErrNoDevice) || !strings.Contains(err.Error(), "group video") {
		t.Error(err)
	}
	if !errors.Is(&noDeviceError{Err: syscall.EACCES}, fs.ErrPermission) {
		t.Error("cause lost")
	}
}
