// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A transfer of the loop that hangs does not keep the wheels turning: the guard stops them on its own line. When the
// transfer reaches the robot after all, the loop tells it to stand at once.
func TestGuardStopsTheWheels(t *testing.T) {
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
		if said := r.said(); !slices.Equal(said, []WordKind{WordStuck, WordGuarded}) {
			t.Errorf("said %v", said)
		}
		time.Sleep(10 * time.Second)
		if said := r.said(); said != nil {
			t.Errorf("said once more: %v", said)
		}
		r.own.letGo()
		time.Sleep(time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v after the loop is back", v)
		}
		if said := r.said(); !slices.Equal(said, []WordKind{WordRound}) {
			t.Errorf("said %v", said)
		}
		r.Drive(forward)
		time.Sleep(MinCommandGap)
		if v := r.robot.turn(); v != forward {
			t.Errorf("%v: commands are not obeyed any more", v)
		}
	})
}

// The guard goes on while both lines hang, and succeeds when its own is free.
func TestGuardInsists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.SetTimeout(0)
		r.Drive(forward)
		time.Sleep(100 * time.Millisecond)
		r.own.hang()
		r.second.hang()
		time.Sleep(5 * time.Second)
		if said := r.said(); !slices.Equal(said, []WordKind{WordStuck}) {
			t.Errorf("said %v", said)
		}
		r.second.letGo()
		time.Sleep(time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v", v)
		}
	})
}

// The guard leaves a loop alone that works, that has a slow period, that waits for a lost robot, or that has been
// halted.
func TestGuardLeavesAGoodLoopAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		time.Sleep(time.Minute)
		r.robot.breaks(errBroken)
		time.Sleep(time.Minute)
		r.robot.breaks(nil)
		time.Sleep(time.Minute)
		if said := r.said(); !slices.Equal(said, []WordKind{WordLost, WordBack}) {
			t.Errorf("said %v", said)
		}
	})
}

// A command that comes during an exchange is due at once, however long ago the last one was. That is no lateness: the
// guard once took it for some, and stopped the wheels of a robot that began to drive.
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

// A loop that was late once and came round is not suspected for it for ever.
func TestGuardForgetsASuspicion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := start(t)
		for i := range 10 {
			time.Sleep(time.Until(began.Add(time.Duration(i+1)*time.Second + time.Millisecond)))
			r.own.hang() // the next cycle is due 49 ms later
			time.Sleep(49*time.Millisecond + slack + grace/2)
			r.own.letGo()
		}
		time.Sleep(time.Second)
		if said := r.said(); said != nil {
			t.Errorf("said %v", said)
		}
	})
}

// The end of the program does not wait for a loop that hangs.
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
