// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/swarm/fleet"
)

// paced runs a clock for a time of the machine's, with a world that takes cost for each simulated second, and tells
// what the clock shows then and how late the world is.
func paced(t *testing.T, speed float64, cost time.Duration, f func(p *fleet.Pace)) (elapsed, late time.Duration) {
	t.Helper()
	start := time.Unix(100, 0)
	synctest.Test(t, func(t *testing.T) {
		p, err := fleet.NewPace(start, speed)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("world", func() {
			reached := start
			p.Run(ctx, func() {
				now := p.Now()
				time.Sleep(time.Duration(float64(cost) * now.Sub(reached).Seconds()))
				reached = now
			})
		})
		f(p)
		elapsed, late = p.Now().Sub(start), p.Late()
		cancel()
		group.Wait()
	})
	return elapsed, late
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		name    string
		speed   float64
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
		{"as fast as it can", math.Inf(1), 10 * time.Millisecond, 1000, 0},
	} {
		elapsed, late := paced(t, c.speed, c.cost, func(*fleet.Pace) { time.Sleep(10 * time.Second) })
		if math.Abs(elapsed.Seconds()-c.elapsed) > 0.06*c.elapsed+0.11 || math.Abs(late.Seconds()-c.late) > 0.02*c.late+0.11 {
			t.Errorf("%s: %v passed, %v late", c.name, elapsed, late)
		}
	}
	if _, err := fleet.NewPace(time.Now(), -1); !errors.Is(err, fleet.ErrSpeed) {
		t.Errorf("backwards: %v", err)
	}
	if _, err := fleet.NewPace(time.Now(), math.NaN()); !errors.Is(err, fleet.ErrSpeed) {
		t.Errorf("no number: %v", err)
	}
}

// Sleepers and timers wait for simulated time.
func TestPaceWaits(t *testing.T) {
	for _, speed := range []float64{10, math.Inf(1)} {
		elapsed, _ := paced(t, speed, time.Millisecond, func(p *fleet.Pace) {
			begun := p.Now()
			p.Sleep(20 * time.Second)
			timer := p.NewTimer(30 * time.Second)
			<-timer.C()
			if d := p.Now().Sub(begun); d < 50*time.Second || d > 51*time.Second {
				t.Errorf("speed %g: waited %v", speed, d)
			}
			if timer.Stop() || timer.Reset(time.Hour) || !timer.Stop() {
				t.Error("a timer does not know whether it runs")
			}
			stop := make(chan struct{})
			close(stop)
			p.Wait(time.Hour, stop)
		})
		if elapsed > 52*time.Second {
			t.Errorf("speed %g: %v passed", speed, elapsed)
		}
	}
}

// A stopped clock lets no time pass for any robot.
func TestPausedTimer(t *testing.T) {
	paced(t, 0, 0, func(p *fleet.Pace) {
		timer := p.NewTimer(time.Nanosecond)
		time.Sleep(time.Hour)
		select {
		case <-timer.C():
			t.Error("a timer fired")
		default:
		}
		timer.Stop()
	})
}

// A clock with steps stands while a step is computed, loses none, and tells how late it is.
func TestSteps(t *testing.T) {
	const step = 10 * time.Millisecond
	for _, c := range []struct {
		speed   float64
		cost    time.Duration // of a step
		elapsed float64       // s, in 10 s
		late    float64       // s
	}{
		{1, time.Millisecond, 10, 0}, {2, time.Millisecond, 20, 0}, {0, 0, 0, 0}, {1, 2 * step, 5, 5}, {math.Inf(1), time.Millisecond, 100, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Unix(0, 0)
			p, err := fleet.NewSteps(start, c.speed, step)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			last := start
			var group task.Group
			group.Go("world", func() {
				p.Run(ctx, func() {
					now := p.Now()
					if now.Sub(last) != step {
						t.Errorf("speed %g: a step of %v", c.speed, now.Sub(last))
					}
					last = now
					time.Sleep(c.cost)
					if !p.Now().Equal(now) {
						t.Errorf("speed %g: the clock went on in a step", c.speed)
					}
				})
			})
			time.Sleep(10 * time.Second)
			cancel()
			group.Wait()
			if elapsed := p.Now().Sub(start).Seconds(); math.Abs(elapsed-c.elapsed) > 0.02*c.elapsed+0.11 ||
				math.Abs(p.Late().Seconds()-c.late) > 0.02*c.late+0.11 {
				t.Errorf("speed %g, %v a step: %g s passed, %v late", c.speed, c.cost, elapsed, p.Late())
			}
		})
	}
	if _, err := fleet.NewSteps(time.Now(), 1, 0); !errors.Is(err, fleet.ErrSpeed) {
		t.Errorf("no step: %v", err)
	}
}

// TestSpeedChanges: the clock goes on from where it is, never back; who sleeps wakes when it is time at the new speed.
func TestSpeedChanges(t *testing.T) {
	elapsed, late := paced(t, 10, 0, func(p *fleet.Pace) {
		time.Sleep(time.Second)
		for _, c := range []struct {
			speed, want float64 // want is the age after another second, s
		}{{1, 11}, {0, 11}, {2, 13}, {100, 113}, {0.5, 113.5}} {
			before := p.Now()
			if err := p.SetSpeed(c.speed); err != nil {
				t.Error(err)
			}
			if p.Now().Before(before) {
				t.Errorf("speed %g: the clock goes back by %v", c.speed, before.Sub(p.Now()))
			}
			time.Sleep(time.Second)
			if age := p.Now().Sub(time.Unix(100, 0)).Seconds(); math.Abs(age-c.want) > 0.6 {
				t.Errorf("speed %g: age %g s, want %g", c.speed, age, c.want)
			}
		}
		woken := make(chan time.Time, 1)
		go func() {
			p.Sleep(time.Hour) // of simulated time
			woken <- time.Now()
		}()
		time.Sleep(time.Second)
		begun := time.Now()
		if err := errors.Join(p.SetSpeed(0), p.SetSpeed(3600)); err != nil {
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

// TestRealTimeIsTheMachines: a clock of real time at speed 1 waits for no world, however slow, and is never late; it
// stands, makes steps and goes at other speeds as any other, and then waits for the world.
func TestRealTimeIsTheMachines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		p := fleet.NewRealTime()
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		var cost atomic.Int64 // of a look at the world, ns
		group.Go("world", func() { p.Run(ctx, func() { time.Sleep(time.Duration(cost.Load())) }) })
		age := func(want time.Duration, by time.Duration) {
			t.Helper()
			if got := p.Now().Sub(begun); got < want-by || got > want+by {
				t.Errorf("the clock shows %v, want %v", got, want)
			}
		}
		synctest.Wait()
		cost.Store(int64(3 * time.Second))
		time.Sleep(10 * time.Second)
		age(10*time.Second, 0)
		if late := p.Late(); late != 0 {
			t.Errorf("late by %v", late)
		}
		cost.Store(0)
		if err := p.SetSpeed(0); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		age(10*time.Second, 0)
		if err := p.Step(ctx, 100*time.Millisecond); err != nil {
			t.Error(err)
		}
		age(10100*time.Millisecond, 0)
		if err := p.SetSpeed(10); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		age(20100*time.Millisecond, 100*time.Millisecond)
		cancel()
		group.Wait()
	})
}

// TestTimeGoesOnAfterTheRun: what ends with a run that was paused does not wait for ever; time is not stopped again.
func TestTimeGoesOnAfterTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := fleet.NewPace(time.Unix(0, 0), 0)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group task.Group
		group.Go("world", func() { p.Run(ctx, func() {}) })
		slept := make(chan time.Time)
		go func() {
			p.Sleep(time.Second)
			slept <- p.Now()
		}()
		time.Sleep(time.Minute)
		cancel()
		group.Wait()
		ended := time.Now()
		if at := <-slept; at.Sub(time.Unix(0, 0)) < time.Second || time.Since(ended) > 1100*time.Millisecond {
			t.Errorf("woken at %v, %v after the end", at, time.Since(ended))
		}
		if err := p.SetSpeed(0); !errors.Is(err, fleet.ErrSpeed) {
			t.Errorf("time was stopped after the end: %v", err)
		}
	})
}
