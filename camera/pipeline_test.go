// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestOpenOnlyWhileWanted: no sink, no camera; the first opens it, the last closes it, and nothing is left.
func TestOpenOnlyWhileWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam, log := newFakeCamera(), new(logs)
		p := newPipeline(t, Config{Device: cam, Logger: log.logger()})
		time.Sleep(time.Minute)
		if cam.opens() != 0 || p.Status().Wanted {
			t.Fatal("open without a sink")
		}
		for round := 1; round <= 3; round++ {
			raw, one := attach(t, p, Output{Encoding: RGB8})
			time.Sleep(time.Second)
			synctest.Wait()
			if st := p.Status(); !st.Open || !st.Wanted || st.Mode != small || cam.opens() != round {
				t.Fatalf("round %d: %+v", round, st)
			}
			file, two := attach(t, p, Output{Encoding: Compressed})
			time.Sleep(time.Second)
			_ = one.Close()
			time.Sleep(time.Second)
			synctest.Wait()
			if n := len(raw.all()); n < 29 || n > 32 {
				t.Errorf("%d raw images in 2 s", n)
			}
			if n := len(file.all()); n < 29 || n > 32 {
				t.Errorf("%d JPEG pictures in 2 s", n)
			}
			_ = two.Close()
			_ = two.Close()
			synctest.Wait()
			if left := cam.leftOpen(); left != "" || p.Status().Open || p.Status().Wanted {
				t.Errorf("after the last sink: %s, %+v", left, p.Status())
			}
		}
		if log.count("camera open") != 3 || log.count("camera closed") != 3 || log.count("WARN") != 0 {
			t.Errorf("log:\n%s", log.b.String())
		}
	})
}

// TestOneFrameManyPictures: all kinds of picture of one frame have its stamp and number, and sizes that agree.
func TestOneFrameManyPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Config{Device: newFakeCamera(), Settings: Settings{Width: 32, Height: 24}})
		defer p.Close()
		wants := []Encoding{RGB8, BGR8, Mono8, YUV422YUY2, Compressed, StampOnly}
		var albums []*album
		for _, e := range wants {
			a, _ := attach(t, p, Output{Encoding: e})
			albums = append(albums, a)
		}
		time.Sleep(990 * time.Millisecond)
		synctest.Wait()
		for i, a := range albums {
			all := a.all()
			if len(all) != 15 {
				t.Fatalf("%s: %d pictures", wants[i], len(all))
			}
			for n, im := range all {
				first := albums[0].all()[n]
				if im.Stamp != first.Stamp || im.Sequence != first.Sequence || im.Width != 32 || im.Height != 24 {
					t.Errorf("%s %d: %v %d %d×%d", wants[i], n, im.Stamp, im.Sequence, im.Width, im.Height)
				}
				checkPixels(t, im)
			}
		}
	})
}

// checkPixels checks a picture of a frame that was painted with its number.
func checkPixels(t *testing.T, im Image) {
	t.Helper()
	bytesPerPixel := map[Encoding]int{RGB8: 3, BGR8: 3, Mono8: 1, YUV422YUY2: 2}[im.Encoding]
	if im.Encoding == Compressed {
		if w, h := jpegSize(t, im.Data); w != im.Width || h != im.Height {
			t.Errorf("JPEG of %d×%d, want %d×%d", w, h, im.Width, im.Height)
		}
		return
	}
	if im.Step != im.Width*bytesPerPixel || len(im.Data) != im.Step*im.Height {
		t.Fatalf("%s: %d bytes, step %d", im.Encoding, len(im.Data), im.Step)
	}
	for i, v := range im.Data {
		if want := byte(im.Sequence); v != want && !(im.Encoding == YUV422YUY2 && i%2 == 1 && v == 128) {
			t.Fatalf("%s frame %d: byte %d is %d", im.Encoding, im.Sequence, i, v)
		}
	}
}

// TestFirstImage: the first picture comes with the camera's first frame.
func TestFirstImage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		cam.delay = 200 * time.Millisecond
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		start := time.Now()
		a, _ := attach(t, p, Output{Encoding: RGB8})
		time.Sleep(time.Second)
		synctest.Wait()
		if got := a.times[0].Sub(start); got != cam.delay || p.Status().FirstImage != cam.delay {
			t.Errorf("after %v, status %v, want %v", got, p.Status().FirstImage, cam.delay)
		}
	})
}

// TestSlowSink: a sink that takes 0.7 s for a picture gets the latest each time, and delays neither the camera nor
// others.
func TestSlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		quick, _ := attach(t, p, Output{Encoding: Mono8})
		slow := new(album)
		var late []time.Duration
		if _, err := p.Attach(Output{Encoding: Mono8}, func(im *Image) {
			late = append(late, time.Since(im.Stamp))
			slow.add(im)
			time.Sleep(700 * time.Millisecond)
			if last := slow.all()[len(slow.all())-1]; string(last.Data) != string(im.Data) {
				t.Error("the picture changed while the sink had it")
			}
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := len(quick.all()); n < 149 {
			t.Errorf("the quick sink got %d of 150", n)
		}
		if n := len(slow.all()); n < 13 || n > 16 {
			t.Errorf("the slow sink got %d", n)
		}
		for _, d := range late {
			if d > time.Second/15 {
				t.Errorf("a picture was %v old", d)
			}
		}
		st := p.Status()
		if st.Lost != 0 || st.Skipped != 0 || cam.held() > 2 {
			t.Errorf("lost %d, skipped %d, %d frames held at once", st.Lost, st.Skipped, cam.held())
		}
		if st.Sinks[0].Dropped != 0 || st.Sinks[1].Dropped < 120 || st.Sinks[1].Delivered != uint64(len(slow.all()))-1 {
			t.Errorf("%+v", st.Sinks)
		}
	})
}

// TestSinkClosesItself: closing from within the sink's function ends it, and no picture follows.
func TestSinkClosesItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		p := newPipeline(t, Config{Device: cam})
		n := 0
		var s *Sink
		ready := make(chan struct{})
		s, err := p.Attach(Output{Encoding: Compressed}, func(*Image) {
			<-ready
			if n++; n == 3 {
				_ = s.Close()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		close(ready)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if left := cam.leftOpen(); n != 3 || left != "" {
			t.Errorf("%d pictures; %s", n, left)
		}
		if err := s.Set(Output{Encoding: RGB8}); !errors.Is(err, ErrClosed) {
			t.Errorf("Set after Close: %v", err)
		}
	})
}

func TestClosedPipeline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		p := newPipeline(t, Config{Device: cam})
		attach(t, p, Output{Encoding: RGB8})
		attach(t, p, Output{Encoding: Compressed})
		time.Sleep(time.Second)
		for range 2 {
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if left := cam.leftOpen(); left != "" {
				t.Error(left)
			}
		}
		if _, err := p.Attach(Output{Encoding: RGB8}, func(*Image) {}); !errors.Is(err, ErrClosed) {
			t.Errorf("Attach: %v", err)
		}
		if err := p.Set(context.Background(), Settings{Width: 64, Height: 48}); !errors.Is(err, ErrClosed) {
			t.Errorf("Set: %v", err)
		}
	})
}
