// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestQualityWhileRunning: smaller files from the next picture on; the camera and the encoder stay.
func TestQualityWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		cam.every = func(n uint32, f *Frame) error {
			for i := range f.Data {
				f.Data[i] = byte(i * i >> 3)
			}
			return nil
		}
		gpu := &fakeGPU{}
		p := newPipeline(t, Config{Device: cam, GPU: gpu.openSync})
		defer p.Close()
		a, s := attach(t, p, Output{Encoding: Compressed})
		sizes := map[int]int{}
		for _, q := range []int{80, 10, 100} {
			set(t, p, Settings{Width: 64, Height: 48, Quality: q})
			time.Sleep(time.Second)
			synctest.Wait()
			sizes[q] = len(a.last(t).Data)
		}
		if sizes[10] >= sizes[80] || sizes[80] >= sizes[100] {
			t.Errorf("sizes by quality: %v", sizes)
		}
		if err := s.Set(Output{Encoding: Compressed, Quality: 10}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(a.last(t).Data); n != sizes[10] {
			t.Errorf("the sink's own quality gives %d bytes, want %d", n, sizes[10])
		}
		if cam.opens() != 1 || gpu.opened() != 1 {
			t.Errorf("camera opened %d times, encoder %d times", cam.opens(), gpu.opened())
		}
	})
}

// TestFrameRateWhileRunning: frames are left out evenly, without opening the camera anew; more than its mode gives
// needs another mode.
func TestFrameRateWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera(Mode{64, 48, YUYV, 15}, Mode{64, 48, YUYV, 30})
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: Mono8})
		for _, c := range []struct {
			rate  float64
			want  int // in 10 s
			opens int
		}{{15, 150, 1}, {5, 50, 1}, {7, 70, 1}, {0.5, 5, 1}, {30, 300, 2}, {20, 200, 2}, {100, 300, 2}} {
			set(t, p, Settings{Width: 64, Height: 48, FrameRate: c.rate})
			time.Sleep(2 * time.Second)
			synctest.Wait()
			before := len(a.all())
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if n := len(a.all()) - before; n < c.want-1 || n > c.want+1 || cam.opens() != c.opens {
				t.Errorf("%v frames/s: %d pictures in 10 s, opened %d times; want %d and %d", c.rate, n, cam.opens(), c.want, c.opens)
			}
		}
	})
}

// TestSizeWhileRunning: the camera's own mode if it has one, else scaled.
func TestSizeWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera(Mode{64, 48, YUYV, 15}, Mode{32, 24, YUYV, 15})
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		raw, _ := attach(t, p, Output{Encoding: RGB8})
		file, _ := attach(t, p, Output{Encoding: Compressed})
		for _, c := range []struct{ w, h, opens int }{{64, 48, 1}, {48, 36, 1}, {32, 24, 2}, {16, 12, 2}, {40, 20, 3}} {
			set(t, p, Settings{Width: c.w, Height: c.h})
			time.Sleep(time.Second)
			synctest.Wait()
			im, jpg := raw.last(t), file.last(t)
			w, h := jpegSize(t, jpg.Data)
			if im.Width != c.w || im.Height != c.h || w != c.w || h != c.h || jpg.Width != c.w || jpg.Height != c.h || cam.opens() != c.opens {
				t.Errorf("%v: raw %d×%d, JPEG %d×%d, opened %d times", c, im.Width, im.Height, w, h, cam.opens())
			}
			checkPixels(t, im)
		}
	})
}

// TestEncodingWhileRunning: a sink changes what it gets.
func TestEncodingWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		a, s := attach(t, p, Output{Encoding: RGB8})
		for _, e := range append(RawEncodings(), Compressed, StampOnly, RGB8) {
			if err := s.Set(Output{Encoding: e, Width: 100, Height: 10}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if im := a.last(t); im.Encoding != e || im.Width != 64 || im.Height != 10 {
				t.Errorf("%s: got %s %d×%d", e, im.Encoding, im.Width, im.Height)
			}
		}
		if cam.opens() != 1 {
			t.Errorf("opened %d times", cam.opens())
		}
	})
}

// TestBadSettingsRefused: nothing changes, and the error says what there is.
func TestBadSettingsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera(Mode{64, 48, YUYV, 15}, Mode{64, 48, MJPEG, 30})
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		before := p.Settings()
		ctx := context.Background()
		for _, c := range []struct {
			s    Settings
			is   error
			says string
		}{
			{Settings{Width: 64, Height: 48, Quality: 101}, ErrSetting, "1 to 100"},
			{Settings{Width: 64, Height: 48, Quality: -1}, ErrSetting, "1 to 100"},
			{Settings{Width: 64, Height: 48, FrameRate: -1}, ErrSetting, "above 0"},
			{Settings{Width: 63, Height: 48}, ErrSetting, "even"},
			{Settings{Width: 64}, ErrSetting, "64×0"},
			{Settings{Width: 64, Height: 48, Encoder: "fpga"}, ErrSetting, "auto, gpu, cpu"},
			{Settings{Width: 64, Height: 48, Format: 7}, ErrSetting, "YUYV, RGB3"},
			{Settings{Width: 128, Height: 96}, ErrMode, "64×48 YUYV 15 frames/s, 64×48 MJPG 30 frames/s"},
			{Settings{Width: 64, Height: 48, Format: RGB24}, ErrMode, "64×48 YUYV 15 frames/s"},
		} {
			err := p.Set(ctx, c.s)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || p.Settings() != before {
				t.Errorf("%+v: error %v, settings %+v", c.s, err, p.Settings())
			}
		}
		if _, err := p.Attach(Output{Encoding: "rgba8"}, func(*Image) {}); !errors.Is(err, ErrSetting) {
			t.Errorf("encoding: %v", err)
		}
		if _, err := p.Attach(Output{Encoding: RGB8}, nil); !errors.Is(err, ErrSetting) {
			t.Errorf("no function: %v", err)
		}
		_, s := attach(t, p, Output{Encoding: RGB8})
		for _, o := range []Output{{}, {Encoding: RGB8, Width: 3, Height: 3}, {Encoding: Compressed, Quality: 200}, {Encoding: RGB8, Height: 5}} {
			if err := s.Set(o); !errors.Is(err, ErrSetting) {
				t.Errorf("%+v: %v", o, err)
			}
		}
		for _, cfg := range []Config{{}, {Device: cam, Settings: Settings{Quality: 1000}}} {
			if _, err := New(cfg); !errors.Is(err, ErrSetting) {
				t.Errorf("New: %v", err)
			}
		}
	})
}

// TestSetWhileUnplugged: the modes are unknown, so the settings are accepted and Status reports what is wrong.
func TestSetWhileUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		cam.gone = true
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: RGB8})
		set(t, p, Settings{Width: 128, Height: 96})
		cam.plug(true)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if st := p.Status(); !errors.Is(st.LastError, ErrMode) || st.Open {
			t.Errorf("%+v", st)
		}
		set(t, p, Settings{Width: 64, Height: 48})
		time.Sleep(2 * cam.delay) // no waiting for the next try
		synctest.Wait()
		if len(a.all()) == 0 {
			t.Error("no picture")
		}
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		cam.plug(false)
		if err := p.Set(canceled, Settings{Width: 64, Height: 48}); !errors.Is(err, context.Canceled) {
			t.Errorf("Set with a context that ended: %v", err)
		}
	})
}
