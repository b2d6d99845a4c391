// SPDX-License-Identifier: Apache-2.0

package alarm

import (
	"testing"
	"time"
)

// TestPostponedAlarmsPostponeWakeUp: alarms that are postponed repeatedly, as a busy writer's heartbeats are, postpone
// the wake-up too, but not for each small step.
func TestPostponedAlarmsPostponeWakeUp(t *testing.T) {
	now := time.Now()
	at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	q := NewQueue()
	var postponed []time.Time
	q.putOff = func(at time.Time) { postponed = append(postponed, at) }
	list := make([]Alarm, 3)
	for i := range list {
		list[i].Fire = func(time.Time) { t.Errorf("alarm %d fired", i) }
		q.Set(&list[i], at(100))
	}
	if len(postponed) != 0 || !q.Run(now).Equal(at(100)) {
		t.Fatalf("postponed to %v while the goroutine was running", postponed)
	}
	for cycle := 1; cycle <= 50; cycle++ {
		for i := range list {
			q.Set(&list[i], at(100+50*cycle))
			q.Set(&list[i], at(100+50*cycle+1)) // no reason to signal again
		}
		if len(postponed) != cycle || q.Instant(postponed[cycle-1]) != q.next || postponed[cycle-1].Before(at(100+50*cycle)) {
			t.Fatalf("cycle %d: postponed %d times, next %v", cycle, len(postponed), postponed[len(postponed)-1].Sub(now))
		}
		if next := q.heap[0].due; q.next > next {
			t.Fatalf("cycle %d: it wakes %v late", cycle, q.next.Sub(next))
		}
	}
	q.Set(&list[0], at(2500))
	select {
	case <-q.wake:
	default:
		t.Error("an earlier time did not wake")
	}
}
