// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// TestOpenFailsAnywhere lets each request of the preparation fail: nothing may be left behind.
func TestOpenFailsAnywhere(t *testing.T) {
	for _, request := range []string{"S_FMT", "REQBUFS", "QUERYBUF", "MMAP", "QBUF", "STREAMON", "S_CTRL"} {
		for _, errno := range []unix.Errno{unix.ENODEV, unix.ENOMEM, unix.EINVAL, unix.EBUSY, unix.EIO} {
			t.Run(fmt.Sprintf("%s/%v", request, errno), func(t *testing.T) {
				k := raspberry(t)
				d := k.dev(cardJPEG)
				d.failing(request, errno)
				d.onlyOnce = errno != unix.ENOMEM && request != "MMAP"
				if _, err := newJPEG(k, options{}.withDefaults(), smallConfig()); !errors.Is(err, errno) {
					t.Errorf("%v", err)
				}
				k.clean(t)
			})
		}
	}
}

func TestDriverBreaksRules(t *testing.T) {
	k := raspberry(t)
	d := k.dev(cardJPEG)
	d.most = -1 // more than there may be
	q := &queue{kind: queueOutput, node: liar{count: 99}}
	if err := q.allocate(2); !errors.Is(err, errDriver) {
		t.Error(err)
	}
	q.pix.planes[0].sizeImage = 100
	q.node = liar{count: 1, length: 99}
	if err := q.allocate(2); !errors.Is(err, errDriver) {
		t.Error(err)
	}
	q.node = liar{index: 5}
	if _, err := q.dequeue(); !errors.Is(err, errDriver) {
		t.Error(err)
	}
	for _, p := range []pixFormat{{fourcc: 1, width: 64, height: 48, numPlanes: 2}, {fourcc: 1, width: 32, height: 48, numPlanes: 1},
		{fourcc: 1, width: 64, height: 32, numPlanes: 1}, {fourcc: 2, width: 64, height: 48, numPlanes: 1}} {
		q.node = liar{pix: p}
		if err := q.setFormat(pixFormat{fourcc: 1, width: 64, height: 48}); !errors.Is(err, errFormat) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestOneBadPicture: each fault of a single picture costs that picture only.
func TestOneBadPicture(t *testing.T) {
	for _, what := range []fault{damaged, truncated, empty, oversize, zeros} {
		t.Run(string(what), func(t *testing.T) {
			k := raspberry(t)
			k.dev(cardJPEG).plan = func(job int) fault {
				if job == 3 {
					return what
				}
				return fine
			}
			e := encoder(t, k, smallConfig(), options{})
			for i := range 8 {
				f := bars(64, 48, 128, i)
				got, err := e.Encode(nil, f)
				switch {
				case i == 2 && what != zeros:
					if !errors.Is(err, camera.ErrFrame) || len(got) != 0 {
						t.Errorf("%v, %d bytes", err, len(got))
					}
				case err != nil:
					t.Error(i, err)
				default:
					checkPicture(t, got, f)
				}
			}
		})
	}
}

func TestHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := raspberry(t)
		d := k.dev(cardJPEG)
		d.latency = 20 * time.Millisecond
		d.plan = func(job int) fault {
			if job == 2 {
				return never
			}
			return fine
		}
		e := encoder(t, k, smallConfig(), options{Timeout: 700 * time.Millisecond})
		if _, err := e.Encode(nil, bars(64, 48, 128, 0)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err := e.Encode(nil, bars(64, 48, 128, 1))
		if !errors.Is(err, errHang) || !errors.Is(err, camera.ErrTimeout) || time.Since(start) != 700*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// TestLateReceiver: a receiver that is called after the deadline gets an available result.
func TestLateReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := raspberry(t)
		e := encoder(t, k, smallConfig(), options{})
		if err := e.Submit(bars(64, 48, 128, 0)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if _, err := e.Receive(nil); err != nil {
			t.Error(err)
		}
	})
}

func TestDeviceIsUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := raspberry(t)
		d := k.dev(cardJPEG)
		d.latency = time.Hour
		e := encoder(t, k, smallConfig(), options{})
		if err := e.Submit(bars(64, 48, 128, 0)); err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		d.gone = true
		d.mu.Unlock()
		if _, err := e.Receive(nil); !errors.Is(err, unix.ENODEV) {
			t.Error(err)
		}
		if err := e.Submit(bars(64, 48, 128, 0)); !errors.Is(err, unix.ENODEV) {
			t.Error(err)
		}
		if err := e.SetQuality(50); !errors.Is(err, unix.ENODEV) {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestRequestsFailWhileWorking(t *testing.T) {
	for _, request := range []string{"QBUF", "DQBUF", "poll"} {
		k := raspberry(t)
		e := encoder(t, k, smallConfig(), options{})
		k.dev(cardJPEG).failing(request, unix.EIO)
		if _, err := e.Encode(nil, bars(64, 48, 128, 0)); !errors.Is(err, unix.EIO) {
			t.Errorf("%s: %v", request, err)
		}
	}
}

func TestFalseAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := raspberry(t)
		d := k.dev(cardJPEG)
		d.latency, d.alarms = 5*time.Millisecond, 7
		e := encoder(t, k, smallConfig(), options{})
		if _, err := e.Encode(nil, bars(64, 48, 128, 0)); err != nil {
			t.Error(err)
		}
		d.alarms = 1 << 30
		if _, err := e.Encode(nil, bars(64, 48, 128, 0)); !errors.Is(err, unix.EIO) {
			t.Error(err)
		}
		d.alarms = 0
	})
}

func TestCloseEndsReceive(t *testing.T) {
	for _, flying := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			k := raspberry(t)
			k.dev(cardJPEG).latency = time.Hour
			e, err := newJPEG(k, options{Timeout: 2 * time.Hour}.withDefaults(), smallConfig())
			if err != nil {
				t.Fatal(err)
			}
			if flying {
				if err := e.Submit(bars(64, 48, 128, 0)); err != nil {
					t.Fatal(err)
				}
			}
			got := make(chan error)
			go func() { _, err := e.Receive(nil); got <- err }()
			synctest.Wait()
			if err := errors.Join(e.Close(), e.Close()); err != nil {
				t.Error(err)
			}
			if err := <-got; !errors.Is(err, camera.ErrClosed) {
				t.Error(err)
			}
			_, err = e.Encode(nil, bars(64, 48, 128, 0))
			for _, err := range []error{err, e.SetQuality(3)} {
				if !errors.Is(err, camera.ErrClosed) {
					t.Error(err)
				}
			}
			k.clean(t)
		})
	}
}

// TestTwoGoroutines submits and receives at the same time, changes the quality and closes in the middle. The race
// detector watches.
func TestTwoGoroutines(t *testing.T) {
	k := raspberry(t)
	e := encoder(t, k, smallConfig(), options{Depth: 4})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; {
			err := e.Submit(bars(64, 48, 128, i))
			switch {
			case err == nil:
				i++
				if i%10 == 0 {
					_ = e.SetQuality(50 + i%40)
				}
			case errors.Is(err, camera.ErrClosed):
				return
			case !errors.Is(err, camera.ErrBusy):
				t.Error(err)
				return
			}
		}
	})
	for i := range 200 {
		got, err := e.Receive(nil)
		if err != nil {
			t.Fatal(err)
		}
		checkPicture(t, got, bars(64, 48, 128, i))
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

// TestRandomUse does what a pipeline may do, in any order, with a GPU that makes mistakes: every picture accepted gets
// exactly one answer, in order, and its own.
func TestRandomUse(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k := raspberry(t)
		d := k.dev(cardJPEG)
		faults := rapid.SliceOfN(rapid.SampledFrom([]fault{fine, fine, fine, damaged, truncated, empty, zeros, oversize, lost}), 1, 20).Draw(r, "faults")
		d.plan = func(job int) fault { return faults[job%len(faults)] }
		d.garbage = rapid.Bool().Draw(r, "garbage")
		d.most = rapid.IntRange(0, 4).Draw(r, "most")
		e, err := newJPEG(k, options{Depth: rapid.IntRange(1, 5).Draw(r, "depth"), Timeout: time.Millisecond}.withDefaults(), smallConfig())
		if err != nil {
			r.Fatal(err)
		}
		var flight []int
		next, dead := 0, false
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.SampledFrom([]string{"submit", "submit", "receive", "quality"}).Draw(r, "step") {
			case "submit":
				err := e.Submit(bars(64, 48, 128, next))
				switch {
				case err == nil:
					flight = append(flight, next)
					next++
				case errors.Is(err, camera.ErrBusy) && len(flight) >= e.Depth(), dead:
				default:
					r.Fatalf("submit with %d of %d in flight: %v", len(flight), e.Depth(), err)
				}
			case "receive":
				if len(flight) == 0 || dead {
					continue
				}
				got, err := e.Receive(nil)
				switch {
				case err == nil:
					checkPicture(t, got, bars(64, 48, 128, flight[0]))
				case errors.Is(err, errHang): // the last ones in flight were lost
					dead = true
				case !errors.Is(err, camera.ErrFrame):
					r.Fatal(err)
				}
				flight = flight[1:]
			case "quality":
				if err := e.SetQuality(rapid.IntRange(40, 100).Draw(r, "quality")); err != nil {
					r.Fatal(err)
				}
			}
		}
		if err := e.Close(); err != nil {
			r.Fatal(err)
		}
		k.clean(t)
	})
}
