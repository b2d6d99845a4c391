// SPDX-License-Identifier: Apache-2.0

package simclock_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// epoch is what the clocks of these tests show at age 0.
var epoch = time.Unix(100, 0)

// runClock runs a clock whose simulation takes cost of the machine's time for each simulated second while f runs, and
// returns the simulated time that has passed and how late the simulation is.
func runClock(t *testing.T, factor float64, cost time.Duration, f func(c *simclock.Clock)) (elapsed, late time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, err := simclock.New(simclock.Config{Epoch: epoch, Factor: factor})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("simulation", func() {
			reached := epoch
			err := c.Run(ctx, func() error {
				now := c.Now()
				if now.Sub(reached) != simclock.StepPeriod {
					t.Errorf("factor %g: a step of %v", factor, now.Sub(reached))
				}
				time.Sleep(time.Duration(float64(cost) * now.Sub(reached).Seconds()))
				reached = now
				if !c.Now().Equal(now) {
					t.Errorf("factor %g: the clock moved during a step", factor)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		f(c)
		elapsed, late = c.Now().Sub(epoch), c.Late()
		cancel()
		group.Wait()
	})
	return elapsed, late
}

func TestClockKeepsTheRealTimeFactorOrIsLate(t *testing.T) {
	for _, c := range []struct {
		name    string
		factor  float64
		cost    time.Duration // of a simulated second
		elapsed float64       // s, in 10 s
		late    float64       // s
	}{
		{"real time", 1, time.Millisecond, 10, 0},
		{"ten times", 10, time.Millisecond, 100, 0},
		{"half", 0.5, 0, 5, 0},
		{"paused", 0, 0, 0, 0},
		{"too slow", 1, 2 * time.Second, 5, 5},
		{"far too slow", 10, time.Second, 10, 90},
		{"as fast as possible", math.Inf(1), 10 * time.Millisecond, 1000, 0},
	} {
		elapsed, late := runClock(t, c.factor, c.cost, func(*simclock.Clock) { time.Sleep(10 * time.Second) })
		if math.Abs(elapsed.Seconds()-c.elapsed) > 0.02*c.elapsed+0.011 || math.Abs(late.Seconds()-c.late) > 0.02*c.late+0.11 {
			t.Errorf("%s: %v passed, %v late", c.name, elapsed, late)
		}
	}
}

func TestNewClockRejectsImpossibleFactorsAndSteps(t *testing.T) {
	for _, cfg := range []simclock.Config{{Factor: -1}, {Factor: math.NaN()}, {Factor: 1, Step: -1}} {
		if _, err := simclock.New(cfg); !errors.Is(err, simclock.ErrFactor) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// Waiters and timers wake at exactly their simulated time, however fast the simulation runs and however long those
// take that were woken before.
func TestWaitersAndTimersWakeAtTheirTime(t *testing.T) {
	for _, factor := range []float64{1, 10, math.Inf(1)} {
		runClock(t, factor, time.Millisecond, func(c *simclock.Clock) {
			begun := c.Now()
			c.Sleep(20*time.Second + 3)
			if d := c.Now().Sub(begun); d < 20*time.Second+3 {
				t.Errorf("factor %g: slept %v", factor, d)
			}
			begun = c.Now()
			timer := c.NewTimer(30*time.Second + 7)
			at := <-timer.C()
			if d := at.Sub(begun); d != 30*time.Second+7 || !c.Now().Equal(at) {
				t.Errorf("factor %g: a timer of 30 s fired after %v, at %v", factor, d, c.Now())
			}
			if timer.Stop() || timer.Reset(time.Hour) || !timer.Stop() {
				t.Error("a timer does not know whether it is running")
			}
			stop := make(chan struct{})
			close(stop)
			c.Wait(time.Hour, stop)
		})
	}
}

// Goroutines that wait on the clock again and again, with timers or as cameras do, miss none of their times, at any
// factor and however slow they are: the clock does not pass an event that is due.
func TestTimeNeverPassesAnEventThatIsDue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		factor := rapid.SampledFrom([]float64{0.5, 1, 20, math.Inf(1)}).Draw(rt, "factor")
		periods := rapid.SliceOfN(rapid.IntRange(1, 200), 1, 6).Draw(rt, "periods, ms")
		slow := rapid.IntRange(0, 300).Draw(rt, "machine's time of an owner, ms")
		const length = 2 * time.Second
		var problem string
		runClock(t, factor, time.Millisecond, func(c *simclock.Clock) {
			stops := make([]chan struct{}, len(periods)) // the clock knows a waiting goroutine by its channel
			var group task.Group
			var mu sync.Mutex
			times := make([][]time.Duration, len(periods))
			note := func(i int) {
				time.Sleep(time.Duration(slow) * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				select {
				case <-stops[i]: // the clock does not wait for an owner that ends
				default:
					times[i] = append(times[i], c.Now().Sub(epoch))
				}
			}
			for i, ms := range periods {
				period := time.Duration(ms) * time.Millisecond
				stops[i] = make(chan struct{})
				group.Go("owner", func() {
					if i%2 == 0 {
						ownTimer(c, period, stops[i], func() { note(i) })
					} else {
						sleepAgain(c, period, stops[i], func() { note(i) })
					}
				})
			}
			for c.Now().Sub(epoch) < length {
				time.Sleep(10 * time.Millisecond)
			}
			for _, stop := range stops {
				close(stop)
			}
			group.Wait()
			for i, ms := range periods {
				period := time.Duration(ms) * time.Millisecond
				for k, at := range times[i] {
					if k > 0 && at-times[i][k-1] != period {
						problem = fmt.Sprintf("factor %g: owner %d of %v was called at %v after %v", factor, i, period, at, times[i][k-1])
					}
				}
			}
		})
		if problem != "" {
			rt.Fatal(problem)
		}
	})
}

// ownTimer calls f with a period as a node's timer does.
func ownTimer(c *simclock.Clock, period time.Duration, stop <-chan struct{}, f func()) {
	timer := c.NewTimer(period)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C():
			f()
			timer.Reset(period)
		}
	}
}

// sleepAgain calls f with a period as a camera does.
func sleepAgain(c *simclock.Clock, period time.Duration, stop <-chan struct{}, f func()) {
	for {
		c.Wait(period, stop)
		select {
		case <-stop:
			return
		default:
			f()
		}
	}
}

// The clock stands still while an owner of a timer hangs, for as long as it does, and names it after a second of the
// machine's time. It moves on when the owner has done its work; the end of the run does not wait for the owner.
func TestClockStandsStillForAnOwnerThatHangs(t *testing.T) {
	for _, ends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var late []string
			c, err := simclock.New(simclock.Config{Epoch: epoch, Factor: math.Inf(1), OnLate: func(waits string) { late = append(late, waits) }})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			n, err := ros2.NewNode(ros2.NodeConfig{Name: "hanging", Transport: ros2test.NewTransport(), Clock: c})
			if err != nil {
				t.Fatal(err)
			}
			resume := make(chan struct{})
			if _, err := ros2.NewTicker(n, "control", time.Second, func(time.Time) { <-resume }); err != nil {
				t.Fatal(err)
			}
			var group task.Group
			group.Go("simulation", func() {
				if err := c.Run(ctx, func() error { time.Sleep(time.Millisecond); return nil }); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(time.Hour)
			synctest.Wait()
			const owner = `timer "control" of /hanging`
			if d := c.Now().Sub(epoch); d != time.Second || !slices.Equal(late, []string{owner}) {
				t.Errorf("after an hour the clock shows %v, reported %q", d, late)
			}
			if got, want := c.Status().String(), "time: as fast as possible waits for "+owner+" (59m59s)"; got != want {
				t.Errorf("status %q, want %q", got, want)
			}
			if ends {
				cancel()
				group.Wait() // the run ends
				if d := c.Now().Sub(epoch); d != time.Second {
					t.Errorf("at the end of the run the clock shows %v", d)
				}
				c.Release()
				if err := n.Close(); !errors.Is(err, ros2.ErrStuck) {
					t.Errorf("closing the node: %v", err)
				}
				close(resume)
				return
			}
			close(resume)
			time.Sleep(time.Second)
			if d := c.Now().Sub(epoch); d < 5*time.Second || c.Status().Waits != "" {
				t.Errorf("after the work the clock shows %v, %v", d, c.Status())
			}
			cancel()
			group.Wait()
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// An owner without a name is known by the function that has made its timer, one that sleeps by that which has called
// Wait.
func TestOwnersWithoutANameAreKnownByTheirFunction(t *testing.T) {
	for name, own := range map[string]func(c *simclock.Clock, stop <-chan struct{}){
		"simclock_test.ownTimer": func(c *simclock.Clock, stop <-chan struct{}) { ownTimer(c, time.Second, stop, func() { <-stop }) },
		"simclock_test.sleepAgain": func(c *simclock.Clock, stop <-chan struct{}) {
			sleepAgain(c, time.Second, stop, func() { <-stop })
		},
	} {
		runClock(t, 1, 0, func(c *simclock.Clock) {
			stop := make(chan struct{})
			var group task.Group
			group.Go("owner", func() { own(c, stop) })
			time.Sleep(10 * time.Second)
			if got := c.Status(); got.Waits != "the timer of "+name {
				t.Errorf("%v, want %s", got, name)
			}
			close(stop)
			group.Wait()
		})
	}
}

// A paused clock lets no time pass for anyone.
func TestPausedClockFiresNoTimer(t *testing.T) {
	runClock(t, 0, 0, func(c *simclock.Clock) {
		timer := c.NewTimer(time.Nanosecond)
		time.Sleep(time.Hour)
		select {
		case <-timer.C():
			t.Error("a timer fired")
		default:
		}
		timer.Stop()
	})
}

// Step advances a paused clock by whole steps, and returns when they have been made; changing the factor ends it.
func TestStepAdvancesAPausedClock(t *testing.T) {
	runClock(t, 0, time.Second, func(c *simclock.Clock) {
		for _, d := range []time.Duration{0, 10 * time.Millisecond, 70 * time.Millisecond, 5 * time.Second} {
			before := c.Now()
			if err := c.Step(context.Background(), d); err != nil || c.Now().Sub(before) != d {
				t.Errorf("a step of %v: %v passed, %v", d, c.Now().Sub(before), err)
			}
		}
		if err := c.Step(context.Background(), -1); !errors.Is(err, simclock.ErrFactor) {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := c.Step(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		task.AfterFunc(time.Second, "factor", func() { _ = c.SetFactor(2) })
		if err := c.Step(context.Background(), time.Hour); !errors.Is(err, simclock.ErrFactor) {
			t.Error(err)
		}
		if err := c.Step(context.Background(), 0); !errors.Is(err, simclock.ErrFactor) {
			t.Errorf("a step of a running clock: %v", err)
		}
	})
}

// The clock continues from where it is when the factor changes, never back; waiters wake at the new factor.
func TestFactorChanges(t *testing.T) {
	elapsed, late := runClock(t, 10, 0, func(c *simclock.Clock) {
		time.Sleep(time.Second)
		for _, f := range []struct {
			factor, want float64 // want is the age after another second, s
		}{{1, 11}, {0, 11}, {2, 13}, {100, 113}, {0.5, 113.5}} {
			before := c.Now()
			if err := c.SetFactor(f.factor); err != nil {
				t.Error(err)
			}
			if c.Now().Before(before) {
				t.Errorf("factor %g: the clock goes back by %v", f.factor, before.Sub(c.Now()))
			}
			time.Sleep(time.Second)
			if age := c.Now().Sub(epoch).Seconds(); math.Abs(age-f.want) > 0.6 {
				t.Errorf("factor %g: age %g s, want %g", f.factor, age, f.want)
			}
		}
		woken := make(chan time.Time, 1)
		go func() {
			c.Sleep(time.Hour) // of simulated time
			woken <- time.Now()
		}()
		time.Sleep(time.Second)
		begun := time.Now()
		if err := errors.Join(c.SetFactor(0), c.SetFactor(3600)); err != nil {
			t.Error(err)
		}
		if took := (<-woken).Sub(begun); took < 990*time.Millisecond || took > 1200*time.Millisecond {
			t.Errorf("the hour took %v", took)
		}
	})
	if elapsed < time.Hour || late > time.Minute {
		t.Error(elapsed, late)
	}
}

// A machine that is busy for a while makes the simulation late, and it catches up without skipping a step.
func TestSimulationCatchesUpAfterTheMachineWasBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := simclock.New(simclock.Config{Epoch: time.Now(), Factor: 1})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		var steps []time.Time
		group.Go("simulation", func() {
			_ = c.Run(ctx, func() error {
				if steps = append(steps, c.Now()); len(steps) == 100 {
					time.Sleep(4 * time.Second)
				}
				return nil
			})
		})
		time.Sleep(4900 * time.Millisecond)
		if late := c.Late(); late < 3*time.Second || late > 4*time.Second {
			t.Errorf("after 4 s without a step it is late by %v", late)
		}
		time.Sleep(time.Second)
		if lag := time.Since(c.Now()); lag > 20*time.Millisecond || c.Late() != 0 {
			t.Errorf("a second later it lags by %v, late by %v", lag, c.Late())
		}
		cancel()
		group.Wait()
		for i := range steps[1:] {
			if d := steps[i+1].Sub(steps[i]); d != simclock.StepPeriod {
				t.Fatalf("step %d is %v long", i+1, d)
			}
		}
	})
}

// What shuts down after a run that was paused does not wait forever; the factor can't be changed then.
func TestTimePassesAfterRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := simclock.New(simclock.Config{Epoch: epoch})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("simulation", func() { _ = c.Run(ctx, func() error { return nil }) })
		woken := make(chan time.Time)
		go func() {
			c.Sleep(time.Second)
			woken <- c.Now()
		}()
		timer := c.NewTimer(2 * time.Second)
		time.Sleep(time.Minute)
		cancel()
		group.Wait()
		time.Sleep(time.Minute)
		if !c.Now().Equal(epoch) {
			t.Errorf("the clock does not stand still after the run: %v", c.Now())
		}
		c.Release()
		c.Release()
		ended := time.Now()
		if at := <-woken; at.Sub(epoch) != time.Second || time.Since(ended) != time.Second {
			t.Errorf("woken at %v, %v after the end", at, time.Since(ended))
		}
		<-timer.C()
		if timer.Reset(time.Second) || !timer.Stop() {
			t.Error("a timer does not know whether it is running")
		}
		c.Sleep(time.Second)
		if d := time.Since(ended); d != 3*time.Second {
			t.Errorf("%v passed", d)
		}
		if err := c.SetFactor(0); !errors.Is(err, simclock.ErrFactor) {
			t.Errorf("the clock was paused after the run: %v", err)
		}
	})
}

// An error of the simulation ends the run.
func TestRunReturnsTheErrorOfTheSimulation(t *testing.T) {
	c, err := simclock.New(simclock.Config{Factor: math.Inf(1)})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	var ages []int
	err = c.Run(t.Context(), func() error {
		if ages = append(ages, len(ages)); len(ages) == 3 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || !slices.Equal(ages, []int{0, 1, 2}) {
		t.Errorf("%v after %v", err, ages)
	}
}
