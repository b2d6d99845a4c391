// SPDX-License-Identifier: Apache-2.0

package teleop

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// wheel records commands with their times. A timer's goroutine also sends, and the test only looks after a sleep,
// so there is a lock.
type wheel struct {
	start time.Time

	mu   sync.Mutex
	all  []string
	over bool
}

func (w *wheel) Drive(v, omega float64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, fmt.Sprintf("%g,%g@%d", v, omega, time.Since(w.start).Milliseconds()))
	return nil
}

func (w *wheel) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}

// sent returns the commands so far.
func (w *wheel) sent() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.all...)
}

func (w *wheel) closed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

func rig(t *testing.T, test func(h *Arbiter, w map[string]*wheel)) {
	synctest.Test(t, func(*testing.T) {
		wheels := map[string]*wheel{}
		h := New(Config{Open: func(robot string) (VelocityPublisher, error) {
			w := &wheel{start: time.Now()}
			wheels[robot] = w
			return w, nil
		}})
		defer h.Close()
		test(h, wheels)
	})
}

func TestTimeoutStopsTheRobot(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{Name: "phone"}
		if err := h.Take("/a", d, false); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := h.Drive("/a", d, 0.1, 1); err != nil {
				t.Fatal(err)
			}
			time.Sleep(299 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		if got := fmt.Sprint(w["/a"].sent()); got != "[0.1,1@0 0.1,1@299 0,0@599 0,0@699 0,0@799]" {
			t.Error(got)
		}
	})
}

func TestZeroIsRepeatedAndThenSilent(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{}
		must(t, h.Take("/a", d, false))
		must(t, h.Drive("/a", d, 0.1, 0))
		must(t, h.Drive("/a", d, 0, 0))
		time.Sleep(time.Minute)
		if got := fmt.Sprint(w["/a"].sent()); got != "[0.1,0@0 0,0@0 0,0@100 0,0@200]" {
			t.Error(got)
		}
	})
}

func TestOneDriverAtATime(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		a, b := &Driver{Name: "anna"}, &Driver{Name: "ben"}
		changes := 0
		defer h.Watch(func() { changes++ })()
		must(t, h.Take("/r", a, false))
		must(t, h.Take("/r", a, false))
		if err := h.Take("/r", b, false); !errors.Is(err, ErrTaken) {
			t.Error(err)
		}
		if err := h.Drive("/r", b, 1, 0); !errors.Is(err, ErrNotDriver) {
			t.Error(err)
		}
		must(t, h.Drive("/r", a, 0.1, 0))
		first := w["/r"]
		must(t, h.Take("/r", b, true))
		if got := fmt.Sprint(first.sent()); got != "[0.1,0@0 0,0@0 0,0@0 0,0@0]" || !first.closed() {
			t.Error("taken over while driving:", got)
		}
		if err := h.Drive("/r", a, 0.1, 0); !errors.Is(err, ErrNotDriver) {
			t.Error(err)
		}
		must(t, h.Drive("/r", b, 0.1, 0))
		h.Release("/r", a) // not a's any more
		if s := h.State(); len(s) != 1 || s[0].Driver != b {
			t.Error(s)
		}
		h.Leave(b)
		if s := h.State(); len(s) != 0 || changes != 3 {
			t.Error(s, changes)
		}
		time.Sleep(time.Minute)
		if got := fmt.Sprint(w["/r"].sent()); got != "[0.1,0@0 0,0@0 0,0@0 0,0@0]" {
			t.Error(got)
		}
	})
}

func TestLeavingAStoppedRobotSendsNothing(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{}
		must(t, h.Take("/r", d, false))
		h.Leave(d)
		if w["/r"].sent() != nil {
			t.Error(w["/r"].sent())
		}
	})
}

func TestNonFiniteSpeedsAreRefused(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{}
		must(t, h.Take("/r", d, false))
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if err := errors.Join(h.Drive("/r", d, v, 0), h.Drive("/r", d, 0, v)); !errors.Is(err, ErrSpeed) {
				t.Error(v, err)
			}
		}
		if w["/r"].sent() != nil {
			t.Error(w["/r"].sent())
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNothingDrivesAfterClose: after Close no robot can be driven. A publisher that was being opened during Close is
// closed.
func TestNothingDrivesAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened, slow := []*wheel{}, make(chan struct{})
		h := New(Config{Open: func(robot string) (VelocityPublisher, error) {
			w := &wheel{start: time.Now()}
			opened = append(opened, w)
			if robot == "/slow" {
				<-slow
			}
			return w, nil
		}})
		d := &Driver{Name: "phone"}
		if err := h.Take("/a", d, false); err != nil {
			t.Fatal(err)
		}
		taken := make(chan error, 1)
		go func() { taken <- h.Take("/slow", d, false) }()
		synctest.Wait()
		h.Close()
		h.Close()
		close(slow)
		for name, err := range map[string]error{
			"while it was opened": <-taken,
			"taken before":        h.Drive("/a", d, 0.1, 0),
			"taken again":         h.Take("/a", d, true),
			"a new one":           h.Take("/b", d, false),
			"never taken":         h.Drive("/c", d, 0.1, 0),
		} {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		time.Sleep(time.Minute)
		if len(opened) != 2 || len(h.State()) != 0 {
			t.Errorf("%d publishers, %v", len(opened), h.State())
		}
		for i, w := range opened {
			if !w.closed() || len(w.sent()) != 0 {
				t.Errorf("publisher %d: closed %v, sent %v", i, w.closed(), w.sent())
			}
		}
	})
}
