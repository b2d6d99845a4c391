// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A transfer of the loop hangs: the guard stops the wheels through its own bus. When the transfer reaches the robot
// after all, the loop stops it at once.
func TestGuardStopsWheelsThroughItsOwnBus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.SetTimeout(0)
		r.Drive(forward)
		time.Sleep(220 * time.Millisecond)
		r.own.hang()
		time.Sleep(30*time.Millisecond + slack + grace + time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v", v)
		}
		if events := r.events(); !slices.Equal(events, []EventKind{EventStuck, EventGuarded}) {
			t.Errorf("events %v", events)
		}
		time.Sleep(10 * time.Second)
		if events := r.events(); events != nil {
			t.Errorf("events once more: %v", events)
		}
		r.own.release()
		time.Sleep(time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v after the loop is back", v)
		}
		if events := r.events(); !slices.Equal(events, []EventKind{EventResumed}) {
			t.Errorf("events %v", events)
		}
		r.Drive(forward)
		time.Sleep(MinCommandGap)
		if v := r.robot.turn(); v != forward {
			t.Errorf("%v: commands are not obeyed any more", v)
		}
	})
}

// The guard retries while both buses hang, and succeeds when its own is free.
func TestGuardRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.SetTimeout(0)
		r.Drive(forward)
		time.Sleep(100 * time.Millisecond)
		r.own.hang()
		r.second.hang()
		time.Sleep(5 * time.Second)
		if events := r.events(); !slices.Equal(events, []EventKind{EventStuck}) {
			t.Errorf("events %v", events)
		}
		r.second.release()
		time.Sleep(time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v", v)
		}
	})
}

// The guard does nothing while the loop works, has a slow period, waits for a lost robot, or is halted.
func TestGuardIgnoresAWorkingLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		time.Sleep(time.Minute)
		r.robot.breaks(errBroken)
		time.Sleep(time.Minute)
		r.robot.breaks(nil)
		time.Sleep(time.Minute)
		if events := r.events(); !slices.Equal(events, []EventKind{EventLost, EventBack}) {
			t.Errorf("events %v", events)
		}
	})
}

// A command that arrives during an exchange is due at once, however long ago the last one was. The guard once took
// that for a late loop, and stopped the wheels of a robot that began to drive.
func TestADueCommandIsNotLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		robot := &robot{}
		l := newLoop(t, &line{robot: robot}, &line{robot: robot})
		for i := range 100 {
			want := Speeds{}
			if i%2 == 0 {
				want = forward
			}
			now := l.doDue(l.cfg.Now())
			l.Drive(want)
			next := l.due(now)
			if next.Before(now) {
				t.Fatalf("command %d: due %v ago", i, now.Sub(next))
			}
			if l.doDue(next); robot.turn() != want {
				t.Fatalf("command %d: the wheels turn with %v", i, robot.turn())
			}
			time.Sleep(time.Duration(i) * 7 * time.Millisecond)
		}
	})
}

// A loop that was late once and then ran again is no longer suspected.
func TestGuardForgetsASuspicion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := start(t)
		for i := range 10 {
			time.Sleep(time.Until(began.Add(time.Duration(i+1)*time.Second + time.Millisecond)))
			r.own.hang() // the next cycle is due 49 ms later
			time.Sleep(49*time.Millisecond + slack + grace/2)
			r.own.release()
		}
		time.Sleep(time.Second)
		if events := r.events(); events != nil {
			t.Errorf("events %v", events)
		}
	})
}

// EmergencyStop does not wait for a loop that hangs.
func TestEmergencyStop(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t)
			r.SetTimeout(0)
			r.Drive(forward)
			time.Sleep(100 * time.Millisecond)
			if hangs {
				r.own.hang()
			}
			began := time.Now()
			if err := r.EmergencyStop(100 * time.Millisecond); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 100*time.Millisecond || !hangs && took > MinCommandGap {
				t.Errorf("hangs %v: it took %v", hangs, took)
			}
			if v := r.robot.turn(); v != (Speeds{}) {
				t.Errorf("hangs %v: %v", hangs, v)
			}
			if r.Drive(forward) {
				t.Error("a command was accepted afterwards")
			}
		})
	}
}
