// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// TestOpenFailsAnywhere lets each system call of Open fail, in turn, in each way: nothing may be left behind.
func TestOpenFailsAnywhere(t *testing.T) {
	for _, call := range []string{"capability", "format", "size", "interval", "setFormat", "setInterval", "request", "mapBuffer", "queue", "stream", "close"} {
		for errno, want := range map[syscall.Errno]error{
			syscall.ENODEV: camera.ErrUnplugged, syscall.EBUSY: errBusy, syscall.ENOMEM: syscall.ENOMEM, syscall.EIO: syscall.EIO,
		} {
			if call == "capability" || call == "close" {
				want = camera.ErrNoDevice
			}
			t.Run(fmt.Sprintf("%s/%v", call, errno), func(t *testing.T) {
				c := pipuck()
				sys := newFakeSystem(t)
				sys.plug("/dev/video0", c)
				c.failing(call, errno)
				s, err := newDevice(Config{}, sys).Open(t.Context(), vga)
				if err == nil {
					t.Fatal(s.Close())
				}
				if !errors.Is(err, want) {
					t.Errorf("%v", err)
				}
				if call != "capability" && call != "close" && !strings.Contains(err.Error(), "/dev/video0") {
					t.Errorf("%v does not name the device", err)
				}
				c.clean(t)
			})
		}
	}
}

func TestDriverBreaksRules(t *testing.T) {
	t.Run("too many buffers", func(t *testing.T) {
		c := pipuck()
		sys := newFakeSystem(t)
		sys.plug("/dev/video0", c)
		c.limit = 99
		s := newSource(&fakeNode{cam: c}, sys, Config{}, Info{}, vga, layout{})
		if err := s.allocate(99); !errors.Is(err, errDriver) {
			t.Error(err)
		}
	})
	t.Run("buffers too small", func(t *testing.T) {
		c := pipuck()
		sys := newFakeSystem(t)
		sys.plug("/dev/video0", c)
		n, err := sys.open("/dev/video0")
		if err != nil {
			t.Fatal(err)
		}
		s := newSource(n, sys, Config{}, Info{}, vga, layout{format: camera.YUYV, width: 640, height: 480, stride: 1280})
		if err := s.allocate(4); !errors.Is(err, errDriver) {
			t.Error(err)
		}
		if err := errors.Join(s.free(), n.close()); err != nil {
			t.Error(err)
		}
		c.clean(t)
	})
	t.Run("buffer that was not queued", func(t *testing.T) {
		c := pipuck()
		_, s := opened(t, c, Config{})
		c.shoot(func(b *buffer) { b.index = 17 })
		if _, _, err := s.Read(); !errors.Is(err, errDriver) {
			t.Error(err)
		}
	})
}

// TestUnplug: before, during and between reads; and the camera comes back under another number.
func TestUnplug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sys := newFakeSystem(t)
		dev := newDevice(Config{}, sys)
		for i, when := range []string{"during", "between", "held", "before start"} {
			path := fmt.Sprintf("/dev/video%d", i)
			c := sys.plug(path, pipuck())
			if when == "before start" {
				c.failing("stream", syscall.ENODEV)
				if _, err := dev.Open(t.Context(), vga); !errors.Is(err, camera.ErrUnplugged) {
					t.Error(when, err)
				}
				sys.unplug(path)
				c.clean(t)
				continue
			}
			s, err := dev.Open(t.Context(), vga)
			if err != nil {
				t.Fatal(err)
			}
			release := func() {}
			got := make(chan error)
			switch when {
			case "during":
				go func() { _, _, err := s.Read(); got <- err }()
				synctest.Wait()
				sys.unplug(path)
			case "held":
				c.shoot()
				_, release = read(t, s.(*source))
				fallthrough
			default:
				sys.unplug(path)
				go func() { _, _, err := s.Read(); got <- err }()
			}
			if err := <-got; !errors.Is(err, camera.ErrUnplugged) {
				t.Error(when, err)
			}
			if err := s.Close(); err != nil {
				t.Error(when, err)
			}
			release()
			c.clean(t)
			if _, err := dev.Open(t.Context(), vga); !errors.Is(err, camera.ErrNoDevice) {
				t.Error(when, err)
			}
		}
	})
}

func TestStreamFails(t *testing.T) {
	for _, call := range []string{"dequeue", "wait"} {
		c := pipuck()
		_, s := opened(t, c, Config{})
		c.failing(call, syscall.EIO)
		if _, _, err := s.Read(); !errors.Is(err, errStream) || !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", call, err)
		}
		c.failing(call, nil)
	}
}

// TestFalseAlarm: poll reports an error that is none, as it does when a signal comes at the wrong moment.
func TestFalseAlarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pipuck()
		_, s := opened(t, c, Config{})
		c.alarms = 3
		go func() { synctest.Wait(); c.shoot() }()
		_, release := read(t, s)
		release()
		c.alarms = 1 << 30
		if _, _, err := s.Read(); !errors.Is(err, errStream) {
			t.Errorf("an alarm without end: %v", err)
		}
		c.alarms = 0
	})
}

func TestAllocations(t *testing.T) {
	c := pipuck()
	_, s := opened(t, c, Config{})
	if n := testing.AllocsPerRun(100, func() {
		c.shoot()
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		release()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestRandomUse does what readers may do in any order, and checks after each step where every buffer is.
func TestRandomUse(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		sys := newFakeSystem(t)
		c := sys.plug("/dev/video0", pipuck())
		opened, err := newDevice(Config{Buffers: rapid.IntRange(0, 40).Draw(r, "buffers")}, sys).Open(context.Background(), camera.Mode{Width: 32, Height: 16, Format: camera.YUYV})
		if err != nil {
			r.Fatal(err)
		}
		s := opened.(*source)
		total := len(s.slots)
		var hold []func()
		gone, ended := false, false
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.SampledFrom([]string{"shoot", "shoot", "bad", "read", "read", "release", "twice", "unplug", "close"}).Draw(r, "step") {
			case "shoot":
				c.shoot()
			case "bad":
				c.shoot(func(b *buffer) { b.damaged = true })
			case "read":
				if len(c.done) == 0 && !gone && !ended {
					continue // it would wait
				}
				_, release, err := s.Read()
				switch {
				case err == nil && !gone && !ended:
					hold = append(hold, release)
				case ended && errors.Is(err, camera.ErrClosed), gone && errors.Is(err, camera.ErrUnplugged), errors.Is(err, camera.ErrFrame):
				default:
					r.Fatalf("read: %v (gone %v, closed %v)", err, gone, ended)
				}
			case "release":
				if len(hold) > 0 {
					i := rapid.IntRange(0, len(hold)-1).Draw(r, "which")
					hold[i]()
					hold = slices.Delete(hold, i, i+1)
				}
			case "twice":
				if len(hold) > 0 {
					hold[0]()
					hold[0]()
					hold = slices.Delete(hold, 0, 1)
				}
			case "unplug":
				if !gone && rapid.IntRange(0, 9).Draw(r, "luck") == 0 {
					sys.unplug("/dev/video0")
					gone = true
				}
			case "close":
				if rapid.IntRange(0, 9).Draw(r, "luck") == 0 {
					if err := s.Close(); err != nil {
						r.Fatal(err)
					}
					ended = true
				}
			}
			if !gone && !ended && c.buffersIn()+len(hold) != total {
				r.Fatalf("%d buffers are the driver's, %d are held, of %d", c.buffersIn(), len(hold), total)
			}
			if ended && c.mapped != len(hold) {
				r.Fatalf("%d buffers mapped, %d held", c.mapped, len(hold))
			}
		}
		if err := s.Close(); err != nil {
			r.Fatal(err)
		}
		for _, release := range hold {
			release()
		}
		c.clean(t)
	})
}

// TestConcurrentReleases: readers release on other goroutines while Read runs and the source is closed. For the race
// detector.
func TestConcurrentReleases(t *testing.T) {
	c := pipuck()
	_, s := opened(t, c, Config{})
	var wg sync.WaitGroup
	releases := make(chan func(), 4)
	for range 3 {
		wg.Go(func() {
			for release := range releases {
				release()
			}
		})
	}
	wg.Go(func() {
		for !s.closed.Load() {
			c.shoot()
		}
	})
	for range 300 {
		f, release := read(t, s)
		if f.Data[0] != f.Data[len(f.Data)-1] {
			t.Error("frame is overwritten while it is held")
		}
		releases <- release
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	close(releases)
	wg.Wait()
}
