// SPDX-License-Identifier: Apache-2.0

package alarm_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestAlarmsFireInTheirOrder compares random sequences of Set, SetEarlier, Cancel and Run with a plain list.
func TestAlarmsFireInTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Unix(1_000_000, 0)
		now := start
		q := alarm.NewQueue()
		list := make([]alarm.Alarm, 5)
		due := map[int]time.Time{}
		var fired []int
		for i := range list {
			list[i].Fire = func(time.Time) { fired = append(fired, i) }
		}
		number := rapid.IntRange(0, len(list)-1)
		at := rapid.Custom(func(t *rapid.T) time.Time {
			return start.Add(time.Duration(rapid.IntRange(0, 1000).Draw(t, "ms")) * time.Millisecond)
		})
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				i, when := number.Draw(t, "alarm"), at.Draw(t, "at")
				q.Set(&list[i], when)
				due[i] = when
			},
			"set earlier": func(t *rapid.T) {
				i, when := number.Draw(t, "alarm"), at.Draw(t, "at")
				q.SetEarlier(&list[i], when)
				if before, set := due[i]; !set || when.Before(before) {
					due[i] = when
				}
			},
			"cancel": func(t *rapid.T) {
				i := number.Draw(t, "alarm")
				q.Cancel(&list[i])
				delete(due, i)
			},
			"run": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "ms")) * time.Millisecond)
				fired = nil
				next, want := q.Run(now), now.Add(time.Hour)
				for i, when := range due {
					if !when.After(now) {
						if !slices.Contains(fired, i) {
							t.Fatalf("alarm %d of %v did not fire at %v", i, when, now)
						}
					} else if when.Before(want) {
						want = when
					}
				}
				for k, i := range fired {
					if due[i].After(now) || k > 0 && due[i].Before(due[fired[k-1]]) {
						t.Fatalf("fired %v at %v of %v", fired, now, due)
					}
				}
				for _, i := range fired {
					delete(due, i)
				}
				if !next.Equal(want) {
					t.Fatalf("it waits for %v, not for %v", next, want)
				}
			},
			"": func(t *rapid.T) {
				if q.Len() != len(due) {
					t.Fatalf("%d alarms pending, want %d", q.Len(), len(due))
				}
				for i := range list {
					if _, set := due[i]; set != list[i].Pending() {
						t.Fatalf("alarm %d pending: %v", i, !set)
					}
				}
			},
		})
	})
}

// TestAlarms: alarms fire in the order of their times, and may be moved and cancelled.
func TestAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := alarm.NewQueue()
		var fired []int
		now := time.Now()
		list := make([]alarm.Alarm, 6)
		for i := range list {
			list[i].Fire = func(time.Time) { fired = append(fired, i) }
			q.Set(&list[i], now.Add(time.Duration(10-i)*time.Second))
		}
		q.Set(&list[5], now.Add(20*time.Second))        // later
		q.SetEarlier(&list[0], now.Add(time.Second))    // earlier
		q.SetEarlier(&list[1], now.Add(30*time.Second)) // not later
		q.Cancel(&list[2])
		q.Cancel(&list[2])
		next := q.Run(now)
		if want := now.Add(time.Second); !next.Equal(want) {
			t.Errorf("next %v, want %v", next, want)
		}
		q.Set(&list[2], now.Add(time.Millisecond))
		select {
		case <-q.Woken():
		default:
			t.Error("an earlier time did not wake")
		}
		q.Run(now.Add(time.Minute))
		if want := []int{2, 0, 4, 3, 1, 5}; !slices.Equal(fired, want) {
			t.Errorf("fired %v, want %v", fired, want)
		}
	})
}

// TestAlarmSetWhileFiring: an alarm may set itself while it fires, even to a past time.
func TestAlarmSetWhileFiring(t *testing.T) {
	now, n := time.Unix(1000, 0), 0
	q := alarm.NewQueue()
	var a alarm.Alarm
	a.Fire = func(now time.Time) {
		if n++; n < 3 {
			q.Set(&a, now)
		}
	}
	q.Set(&a, now)
	if q.Run(now); n != 3 || a.Pending() {
		t.Errorf("fired %d times, pending %v", n, a.Pending())
	}
	select {
	case <-q.Woken():
		t.Error("what fires need not wake who runs it")
	default:
	}
}

// TestTimerOfNetworkWithoutTimers: a network without timers gets the runtime's, which a bubble's clock drives.
func TestTimerOfNetworkWithoutTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timer := alarm.NewTimer(vnet.New(vnet.Config{}).Host(1))
		defer timer.End()
		begin := time.Now()
		<-timer.C()
		timer.Reset(time.Minute)
		<-timer.C()
		if d := time.Since(begin); d != time.Minute {
			t.Errorf("it fired after %v", d)
		}
	})
}

// TestTimerOfTheSystem: the kernel's fires at once when created, and after Reset; End waits for its goroutine.
func TestTimerOfTheSystem(t *testing.T) {
	timer := alarm.NewTimer(udp.System{})
	<-timer.C()
	timer.Reset(time.Millisecond)
	<-timer.C()
	timer.Reset(time.Hour)
	timer.End()
}
