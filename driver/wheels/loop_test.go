// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

func TestMotionStartsAtOnceAndEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		time.Sleep(70 * time.Millisecond)
		r.Drive(forward)
		synctest.Wait()
		if v := r.robot.turn(); v != forward {
			t.Errorf("%v right after the command", v)
		}
		time.Sleep(499 * time.Millisecond)
		if v := r.robot.turn(); v != forward {
			t.Errorf("%v before the time-out", v)
		}
		time.Sleep(2 * time.Millisecond)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v after the time-out", v)
		}
		if events := r.events(); !slices.Contains(events, EventExpired) {
			t.Errorf("events %v", events)
		}
	})
}

// Readings and events are not received: the loop continues without waiting and counts what it drops.
func TestLoopDoesNotWaitForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		for range 2 * eventCapacity {
			r.Drive(forward)
			time.Sleep(600 * time.Millisecond)
		}
		var now Reading
		if !r.Latest(&now) || now.Cycles < 20*eventCapacity {
			t.Errorf("%d cycles", now.Cycles)
		}
		if len(r.events()) != eventCapacity || r.dropped() != eventCapacity {
			t.Errorf("%d events were dropped", r.dropped())
		}
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v in the end", v)
		}
	})
}

func TestLostRobotStopsWhenReconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.SetTimeout(0)
		r.Drive(forward)
		time.Sleep(100 * time.Millisecond)
		r.robot.breaks(errBroken)
		time.Sleep(3 * time.Second)
		if r.Drive(forward) {
			t.Error("a command was accepted while the robot is lost")
		}
		var now Reading
		if r.Latest(&now); !now.Lost || now.Answered || now.Losses != 1 || now.Diagnosis.Err == nil {
			t.Errorf("%+v", now)
		}
		r.robot.breaks(nil)
		time.Sleep(time.Second)
		if v := r.robot.turn(); v != (Speeds{}) {
			t.Errorf("%v when it is back", v)
		}
		if r.Latest(&now); now.Lost || !now.Answered || now.Diagnosis.Health != mcu.HealthOK {
			t.Errorf("%+v", now)
		}
		if events := r.events(); !slices.Equal(events, []EventKind{EventLost, EventBack}) {
			t.Errorf("events %v", events)
		}
		if r.Drive(forward); !r.Drive(forward) {
			t.Error("a command was refused")
		}
	})
}

func TestHaltReportsStoppedWheels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.Drive(forward)
		time.Sleep(100 * time.Millisecond)
		r.stop()
		if err := r.Halt(); err != nil || r.robot.turn() != (Speeds{}) {
			t.Errorf("%v, %v", r.robot.turn(), err)
		}
		if err := r.EmergencyStop(time.Second); err != nil {
			t.Error(err)
		}
		r.robot.breaks(errBroken)
		began := time.Now()
		if err := r.Halt(); !errors.Is(err, errNotStopped) || time.Since(began) < r.cfg.StopTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestConfigIsChecked(t *testing.T) {
	ok := Config{NewProcessor: processorOn(&line{}), Guard: new(mcu.Dev), Period: 1, StopTime: 1, Now: time.Now, NewTimer: func(time.Duration) Timer { return nil }}
	if _, err := New(ok); err != nil {
		t.Error(err)
	}
	for _, spoil := range []func(*Config){
		func(c *Config) { c.NewProcessor = nil }, func(c *Config) { c.Guard = nil }, func(c *Config) { c.Period = 0 }, func(c *Config) { c.StopTime = -1 },
		func(c *Config) { c.Now = nil }, func(c *Config) { c.NewTimer = nil },
	} {
		c := ok
		spoil(&c)
		if _, err := New(c); !errors.Is(err, errConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Neither a cycle nor an exchange for a command allocates.
func TestNoAllocation(t *testing.T) {
	way := &line{robot: &robot{}}
	l := newLoop(t, way, way)
	now := time.Now()
	speeds := Speeds{}
	exchanged := l.Counters().Exchanges
	if n := testing.AllocsPerRun(200, func() {
		now = now.Add(MinCommandGap)
		speeds.Left++
		l.motion.ask(speeds, now.Sub(l.epoch))
		l.wakeUp()
		<-l.wake
		l.doDue(now)
		l.due(now)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := l.Counters().Exchanges - exchanged; n < 200 {
		t.Errorf("the test is inconclusive: %d exchanges", n)
	}
}
