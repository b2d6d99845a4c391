// SPDX-License-Identifier: Apache-2.0

package checks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// stopped reports wheels that turn.
func stopped(t *testing.T, r *simulated.Robot, when string) {
	t.Helper()
	if v := r.Truth(); v.LeftSpeed != 0 || v.RightSpeed != 0 {
		t.Errorf("%s the wheels turn at %g and %g rad/s", when, v.LeftSpeed, v.RightSpeed)
	}
}

// TestInterruptStopsTheWheelsAtAnyMoment cancels the test at many times.
func TestInterruptStopsTheWheelsAtAnyMoment(t *testing.T) {
	for n := 50; n < 2600; n += 37 {
		r, err := simulated.New(1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		sleep, slept := r.Tested.Sleep, 0
		r.Tested.Sleep = func(d time.Duration) {
			if slept++; slept == n {
				cancel(context.Canceled)
			}
			sleep(d)
		}
		reported := func(*checks.Result) { stopped(t, r, "at a report") }
		if _, err := checks.Run(ctx, r.Tested, r, checks.Options{Quick: true, Report: reported}); !errors.Is(err, context.Canceled) && slept > n {
			t.Errorf("after %d ticks: %v", n, err)
		}
		stopped(t, r, "after an interrupt")
		cancel(nil)
	}
}

// watcher is a person who looks at the wheels and whose terminal is closed at a time.
type watcher struct {
	t *testing.T
	*simulated.Robot
	left int
}

var errClosed = errors.New("closed terminal")

func (w *watcher) Do(ctx context.Context, q checks.Request) (checks.Answer, error) {
	stopped(w.t, w.Robot, "during a question")
	if w.left--; w.left < 0 {
		return checks.Answer{}, errClosed
	}
	return w.Robot.Do(ctx, q)
}

func (w *watcher) Judge(ctx context.Context, r *checks.Result) (checks.Answer, error) {
	stopped(w.t, w.Robot, "during a question")
	if w.left--; w.left < 0 {
		return checks.Answer{}, errClosed
	}
	return w.Robot.Judge(ctx, r)
}

// TestClosedTerminalEndsTheTest: at every question.
func TestClosedTerminalEndsTheTest(t *testing.T) {
	for n := range 12 {
		r, err := simulated.New(1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := checks.Run(context.Background(), r.Tested, &watcher{t, r, n}, checks.Options{Quick: n < 9}); n < 9 && !errors.Is(err, errClosed) {
			t.Errorf("after %d questions: %v", n, err)
		}
		stopped(t, r, "after the end")
	}
}

// failing is a bus that fails for some transfers after the first command that turns a wheel.
type failing struct {
	i2c.Bus
	left    int
	turning bool
}

func (f *failing) Tx(addr uint16, w, r []byte) error {
	if f.turning && f.left > 0 {
		f.left--
		return system.EREMOTEIO
	}
	f.turning = f.turning || len(w) == 20 && (w[0] != 0 || w[2] != 0)
	return f.Bus.Tx(addr, w, r)
}

// TestStopIsRepeatedUntilTheBusAnswers: the bus fails while the wheels turn.
func TestStopIsRepeatedUntilTheBusAnswers(t *testing.T) {
	for _, failures := range []int{1, 30, 300} {
		r, err := simulated.New(1)
		if err != nil {
			t.Fatal(err)
		}
		r.Tested.Bus = &failing{Bus: r.Tested.Bus, left: failures}
		if _, err := checks.Run(context.Background(), r.Tested, r, checks.Options{Quick: true}); err != nil {
			t.Errorf("%d failures: %v", failures, err)
		}
		stopped(t, r, "after the end")
	}
}

// TestFailedStopIsReported: the bus never answers again.
func TestFailedStopIsReported(t *testing.T) {
	r, err := simulated.New(1)
	if err != nil {
		t.Fatal(err)
	}
	r.Tested.Bus = &failing{Bus: r.Tested.Bus, left: 1 << 30}
	if _, err := checks.Run(context.Background(), r.Tested, r, checks.Options{Quick: true}); !errors.Is(err, checks.ErrNotStopped) {
		t.Errorf("%v, want %v", err, checks.ErrNotStopped)
	}
}

// TestReportFollowsTheStop: where the stop of a check failed, it is repeated before the check's report, which may take
// as long as the terminal's reader.
func TestReportFollowsTheStop(t *testing.T) {
	repeated := 0
	for failures := 500; failures <= 2500; failures += 250 {
		r, err := simulated.New(1)
		if err != nil {
			t.Fatal(err)
		}
		r.Tested.Bus = &failing{Bus: r.Tested.Bus, left: failures}
		reported := func(*checks.Result) { stopped(t, r, "at a report") }
		if _, err := checks.Run(context.Background(), r.Tested, r, checks.Options{Quick: true, Report: reported}); errors.Is(err, checks.ErrNotStopped) {
			repeated++
		}
		stopped(t, r, "after the end")
	}
	if repeated == 0 {
		t.Error("no check's stop failed")
	}
}
