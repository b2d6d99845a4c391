// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A robot that was lost and answers again is reached within a second, whenever between two attempts that happens, and
// however long an attempt takes to fail.
func TestLostRobotIsReachedWithinASecond(t *testing.T) {
	for _, fails := range []time.Duration{0, 40 * time.Millisecond} {
		for phase := 0; phase < 1000; phase += 23 {
			t.Run(fmt.Sprint(fails, phase), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := start(t)
					r.robot.slow(fails)
					r.robot.breaks(errBroken)
					time.Sleep(10*time.Second + time.Duration(phase)*time.Millisecond)
					var now Reading
					if r.Latest(&now); !now.Lost {
						t.Fatal("it is not lost")
					}
					r.robot.breaks(nil)
					time.Sleep(time.Second)
					if r.Latest(&now); now.Lost || !now.Answered {
						t.Error("it is not back")
					}
					if !r.Drive(forward) {
						t.Error("a command was refused")
					}
				})
			})
		}
	}
}

// While the robot is lost the loop tries to reach it about once a second, and is woken only by its cycles, however
// many commands arrive.
func TestLostRobotCostsLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		robot := &robot{}
		own := &line{robot: robot}
		l := newLoop(t, own, own)
		var wakes atomic.Int64
		made := l.cfg.NewTimer
		l.cfg.NewTimer = func(d time.Duration) Timer { return countedTimer{made(d), &wakes} }
		ctx, cancel := context.WithCancel(context.Background())
		var group sync.WaitGroup
		group.Go(func() { l.Run(ctx) })
		defer group.Wait()
		defer cancel()
		robot.breaks(errBroken)
		time.Sleep(5 * time.Second)
		before, tries := wakes.Load(), robot.tried()
		const span = time.Minute
		for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(time.Millisecond) {
			l.Drive(forward)
		}
		if n, most := wakes.Load()-before, int64(span/l.cfg.Period)+1; n > most {
			t.Errorf("the loop was woken %d times in a minute, want at most %d", n, most)
		}
		const perAttempt = 3 // transfers: an exchange is tried again
		if n := robot.tried() - tries; n == 0 || n > perAttempt*int(span/lastRetry+1) {
			t.Errorf("%d transfers in a minute", n)
		}
	})
}

// countedTimer counts how often the loop has gone to sleep.
type countedTimer struct {
	Timer
	count *atomic.Int64
}

func (t countedTimer) Reset(d time.Duration) bool {
	t.count.Add(1)
	return t.Timer.Reset(d)
}
