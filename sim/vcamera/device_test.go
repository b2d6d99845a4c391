// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"context"
	"errors"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// spot is a viewpoint that stands still.
type spot struct {
	out  vcamsensor.Output
	seen int
}

func (s *spot) Output() vcamsensor.Output { return s.out }

func (s *spot) See(to *vcamera.Scene) geom.Pose {
	s.seen++
	to.Light = 1
	return geom.Pose{}
}

func newSpot() *spot {
	return &spot{out: vcamsensor.Output{YUYV: true, Width: 640, Height: 480, Rate: 15}}
}

// want is what a pipeline asks for.
var want = camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}

func open(t *testing.T, c *vcamera.Camera) camera.Source {
	t.Helper()
	s, err := c.Open(context.Background(), want)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPace: frames come at the sensor's rate by the clock, each stamped when it was taken, and one that was not read is
// missing in the count; nothing is drawn but for a frame.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newSpot()
		c := vcamera.New(vcamera.Config{Name: "camera", Viewpoint: v})
		s := open(t, c)
		began := time.Now()
		for i := range uint32(10) {
			f, release, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			if at := time.Duration(i+1) * (time.Second / 15); f.Stamp.Sub(began) != at || !f.Stamp.Equal(time.Now()) || f.Sequence != i {
				t.Errorf("frame %d after %v, want %v", f.Sequence, f.Stamp.Sub(began), at)
			}
			if err := f.Check(); err != nil || f.Format != camera.YUYV || f.Range != yuv.Full || f.Width != 640 || len(f.Data) != 614400 {
				t.Errorf("%v: %v %d", err, f.Format, len(f.Data))
			}
			release()
		}
		time.Sleep(time.Second / 2) // seven frames
		f, release, err := s.Read()
		if err != nil || f.Sequence != 16 {
			t.Errorf("frame %d after half a second, %v", f.Sequence, err)
		}
		release()
		if f, release, err = s.Read(); err != nil || f.Sequence != 17 || f.Stamp.Sub(began) != 18*(time.Second/15) {
			t.Errorf("frame %d after %v, %v", f.Sequence, f.Stamp.Sub(began), err)
		}
		release()
		if v.seen != 12 {
			t.Errorf("%d pictures drawn for 12 frames", v.seen)
		}
		v.out.Rate = 5
		was := f.Stamp
		for range 2 {
			if f, release, err = s.Read(); err != nil {
				t.Fatal(err)
			}
			release()
		}
		if gap := f.Stamp.Sub(was); gap < 200*time.Millisecond || gap > 400*time.Millisecond {
			t.Errorf("two frames of a slow sensor in %v", gap)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestModes: there is one, and what is not it is refused with the list.
func TestModes(t *testing.T) {
	c := vcamera.New(vcamera.Config{Name: "camera", Viewpoint: newSpot()})
	modes, err := c.Modes(context.Background())
	if err != nil || !slices.Equal(modes, []camera.Mode{want}) || c.Name() != "camera" {
		t.Error(modes, err)
	}
	for _, bad := range []camera.Mode{{Width: 320, Height: 240}, {Width: 640, Height: 480, Format: camera.MJPEG}, {Width: 640, Height: 400}} {
		var mode *camera.ModeError
		if _, err := c.Open(context.Background(), bad); !errors.As(err, &mode) || !errors.Is(err, camera.ErrMode) || len(mode.Have) != 1 {
			t.Errorf("%v: %v", bad, err)
		}
	}
	s, err := c.Open(context.Background(), camera.Mode{FrameRate: 30}) // only the rate is requested
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Open(context.Background(), want); !errors.Is(err, syscall.EBUSY) {
		t.Errorf("opened twice: %v", err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	s = open(t, c)
	_ = s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Open(ctx, want); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBuffers: four frames may be held; a fifth waits for one to be released, by whom and how often ever.
func TestBuffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := vcamera.New(vcamera.Config{Viewpoint: newSpot()})
		s := open(t, c)
		var releases []func()
		for range 4 {
			f, release, err := s.Read()
			if err != nil {
				t.Fatal(err)
			}
			f.Data[0] = byte(len(releases)) // this test's alone
			releases = append(releases, release)
		}
		time.AfterFunc(time.Second, func() {
			releases[2]()
			releases[2]()
		})
		began := time.Now()
		if _, _, err := s.Read(); err != nil || time.Since(began) != time.Second {
			t.Errorf("the fifth after %v: %v", time.Since(began), err)
		}
		time.AfterFunc(time.Second, func() { _ = s.Close() })
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
		for _, r := range releases {
			r()
		}
	})
}

// TestCloseEndsRead: from another goroutine, at once.
func TestCloseEndsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := vcamera.New(vcamera.Config{Viewpoint: newSpot()})
		s := open(t, c)
		began := time.Now()
		time.AfterFunc(time.Millisecond, func() { _ = s.Close() })
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrClosed) || time.Since(began) != time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrClosed) {
			t.Error(err)
		}
	})
}

// TestUnplug: the source ends at once and for good, opening fails, and after plugging in it works again.
func TestUnplug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := vcamera.New(vcamera.Config{Name: "camera", Viewpoint: newSpot()})
		s := open(t, c)
		time.AfterFunc(time.Millisecond, func() { _ = c.Inject(vcamera.Faults{Unplugged: true}) })
		began := time.Now()
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrUnplugged) || time.Since(began) != time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if _, err := c.Open(context.Background(), want); !errors.Is(err, camera.ErrNoDevice) {
			t.Error(err)
		}
		if _, err := c.Modes(context.Background()); !errors.Is(err, camera.ErrNoDevice) {
			t.Error(err)
		}
		if err := c.Inject(vcamera.Faults{}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Read(); !errors.Is(err, camera.ErrUnplugged) {
			t.Error(err)
		}
		_ = s.Close()
		s = open(t, c)
		if _, _, err := s.Read(); err != nil {
			t.Error(err)
		}
		_ = s.Close()
	})
}

// TestSilence: a camera that stalls and one whose sensor gives nothing for it; both come back.
func TestSilence(t *testing.T) {
	for what, f := range map[string]func(c *vcamera.Camera, v *spot, on bool){
		"stalled":   func(c *vcamera.Camera, _ *spot, on bool) { _ = c.Inject(vcamera.Faults{Stalled: on}) },
		"no sensor": func(_ *vcamera.Camera, v *spot, on bool) { v.out.Width = map[bool]int{true: 0, false: 640}[on] },
	} {
		synctest.Test(t, func(t *testing.T) {
			v := newSpot()
			c := vcamera.New(vcamera.Config{Viewpoint: v, Timeout: time.Second})
			s := open(t, c)
			f(c, v, true)
			began := time.Now()
			if _, _, err := s.Read(); !errors.Is(err, camera.ErrTimeout) || time.Since(began) < time.Second || time.Since(began) > 1100*time.Millisecond {
				t.Errorf("%s: %v after %v", what, err, time.Since(began))
			}
			f(c, v, false)
			if _, _, err := s.Read(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			_ = s.Close()
		})
	}
}

// TestDamaged: the share of frames, half of them noticed, the same ones for the same seed.
func TestDamaged(t *testing.T) {
	run := func() (pattern []byte) {
		synctest.Test(t, func(t *testing.T) {
			c := vcamera.New(vcamera.Config{Viewpoint: newSpot(), Noise: noise.New(7)})
			if err := c.Inject(vcamera.Faults{Damaged: 0.4}); err != nil || c.Faults().Damaged != 0.4 {
				t.Fatal(err)
			}
			s := open(t, c)
			for range 100 {
				f, release, err := s.Read()
				switch {
				case errors.Is(err, camera.ErrFrame):
					pattern = append(pattern, 'e')
					continue
				case err != nil:
					t.Fatal(err)
				case f.Check() != nil:
					pattern = append(pattern, 's')
				default:
					pattern = append(pattern, '.')
				}
				release()
			}
			_ = s.Close()
		})
		return pattern
	}
	first := run()
	count := map[byte]int{}
	for _, k := range first {
		count[k]++
	}
	if count['e'] < 9 || count['e'] > 31 || count['s'] < 9 || count['s'] > 31 {
		t.Errorf("%v of 100", count)
	}
	if again := run(); string(again) != string(first) {
		t.Errorf("not the same frames:\n%s\n%s", first, again)
	}
	c := vcamera.New(vcamera.Config{Viewpoint: newSpot()})
	for _, bad := range []float64{-0.1, 1.1} {
		if err := c.Inject(vcamera.Faults{Damaged: bad, Stalled: true}); !errors.Is(err, vcamera.ErrFaults) || c.Faults().Stalled {
			t.Errorf("%g: %v", bad, err)
		}
	}
}

// TestReadDoesNotAllocate: a frame takes no memory.
func TestReadDoesNotAllocate(t *testing.T) {
	now := time.Unix(0, 0)
	c := vcamera.New(vcamera.Config{
		Viewpoint: newSpot(), Now: func() time.Time { return now },
		Wait: func(d time.Duration, _ <-chan struct{}) { now = now.Add(d) },
	})
	s := open(t, c)
	defer func() { _ = s.Close() }()
	if n := testing.AllocsPerRun(3, func() {
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		release()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestPicture draws without a sensor.
func TestPicture(t *testing.T) {
	c := vcamera.New(vcamera.Config{Viewpoint: &spot{}})
	p := make(picture, vcamera.FrameSize)
	if c.Picture(p); p.hash() != draw(t, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{}).hash() {
		t.Error("not the picture of an open floor")
	}
}
