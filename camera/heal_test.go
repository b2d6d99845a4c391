// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestUnpluggedAndBack: pictures come again after the camera was pulled out, from the same sinks; it is tried at
// growing intervals, and the log has one line for all tries.
func TestUnpluggedAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam, log := newFakeCamera(), new(logs)
		p := newPipeline(t, Config{Device: cam, Logger: log.logger()})
		defer p.Close()
		raw, _ := attach(t, p, Output{Encoding: RGB8})
		file, _ := attach(t, p, Output{Encoding: Compressed})
		time.Sleep(time.Second)
		cam.plug(false)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		st := p.Status()
		if st.Open || !errors.Is(st.LastError, ErrNoDevice) || st.FrameRate != 0 || !st.Wanted {
			t.Errorf("while it is gone: %+v", st)
		}
		if log.count("camera failed") != 2 { // unplugged, then not there
			t.Errorf("log:\n%s", log.b.String())
		}
		before := len(raw.all())
		cam.plug(true)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if n := len(raw.all()) - before; n < 14 || len(file.all()) != len(raw.all()) {
			t.Errorf("%d pictures after it came back, %d raw and %d files in all", n, len(raw.all()), len(file.all()))
		}
		st = p.Status()
		if !st.Open || st.LastError != nil || st.Opened != 2 || st.FrameRate < 14.9 || st.FrameRate > 15.1 {
			t.Errorf("after it came back: %+v", st)
		}
		if log.count("camera is back") != 1 {
			t.Errorf("log:\n%s", log.b.String())
		}
	})
}

// TestRetryIntervals: the waits double from RetryMin to RetryMax, and start again after frames came.
func TestRetryIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		var fail atomic.Bool
		fail.Store(true)
		cam.every = func(n uint32, f *Frame) error {
			if fail.Load() {
				return fmt.Errorf("%w: it hangs", ErrTimeout)
			}
			paint(f)
			return nil
		}
		p := newPipeline(t, Config{Device: cam, RetryMin: time.Second, RetryMax: 4 * time.Second})
		defer p.Close()
		attach(t, p, Output{Encoding: RGB8})
		time.Sleep(20 * time.Second)
		synctest.Wait()
		tries := cam.openings()
		for i, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second, 4 * time.Second} {
			if got := tries[i+1].Sub(tries[i]) - cam.delay; got != want {
				t.Errorf("wait %d is %v, want %v", i, got, want)
			}
		}
		fail.Store(false)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		fail.Store(true)
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		lost := time.Now()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		tries = cam.openings()
		last := tries[len(tries)-1]
		if d := last.Sub(lost); d > time.Second || !errors.Is(p.Status().LastError, ErrTimeout) {
			t.Errorf("tried %v after the loss, error %v", d, p.Status().LastError)
		}
	})
}

// TestNoDeviceFirst: sinks may be attached before the camera is plugged in; leaving again while it is gone leaves
// nothing.
func TestNoDeviceFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		cam.gone = true
		p := newPipeline(t, Config{Device: cam})
		a, s := attach(t, p, Output{Encoding: Compressed})
		time.Sleep(10 * time.Second)
		cam.plug(true)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if len(a.all()) == 0 {
			t.Error("no picture after the camera came")
		}
		cam.plug(false)
		time.Sleep(10 * time.Second)
		_ = s.Close()
		synctest.Wait() // the bubble ends: every goroutine has
	})
}

// TestDamagedFrames: a damaged frame is passed over; a camera that gives nothing else is opened anew.
func TestDamagedFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		var all atomic.Bool
		cam.every = func(n uint32, f *Frame) error {
			paint(f)
			switch {
			case all.Load() || n%5 == 1:
				return fmt.Errorf("%w: incomplete", ErrFrame)
			case n%5 == 2:
				f.Data = f.Data[:len(f.Data)/2]
			}
			return nil
		}
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		a, _ := attach(t, p, Output{Encoding: RGB8})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		st := p.Status()
		if n := len(a.all()); n < 88 || n > 92 || st.Damaged < 58 || cam.opens() != 1 {
			t.Errorf("%d pictures of 150, %d damaged, opened %d times", n, st.Damaged, cam.opens())
		}
		all.Store(true)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if cam.opens() < 3 || !errors.Is(p.Status().LastError, ErrFrame) {
			t.Errorf("opened %d times, %v", cam.opens(), p.Status().LastError)
		}
	})
}

// TestCountsLostFrames: gaps in the camera's count are lost frames; a count that starts anew is none.
func TestCountsLostFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam := newFakeCamera()
		cam.every = func(n uint32, f *Frame) error {
			paint(f)
			f.Sequence = []uint32{4294967294, 4294967295, 0, 3, 4, 1, 2}[(n-1)%7]
			return nil
		}
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		attach(t, p, Output{Encoding: StampOnly})
		time.Sleep(6*time.Second/15 + cam.delay)
		synctest.Wait()
		if st := p.Status(); st.Lost != 2 || st.Frames != 7 {
			t.Errorf("%d lost of %d", st.Lost, st.Frames)
		}
	})
}
