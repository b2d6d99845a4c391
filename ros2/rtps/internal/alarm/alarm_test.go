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
	var told []time.Time
	q.putOff = func(at time.Time) { told = append(told, at) }
	list := make([]Alarm, 3)
	for i := range list {
		list[i].Fire = func(time.Time) { t.Errorf("alarm %d fired", i) }
		q.Set(&list[i], at(100))
	}
	if len(told) != 0 || !q.Run(now).Equal(at(100)) {
		t.Fatalf("postponed to %v while the goroutine was running", told)
	}
	for cycle := 1; cycle <= 50; cycle++ {
		for i := range list {
			q.Set(&list[i], at(100+50*cycle))
			q.Set(&list[i], at(100+50*cycle+1)) // no reason to signal again
		}
		if len(told) != cycle || q.Instant(told[cycle-1]) != q.next || told[cycle-1].Before(at(100+50*cycle)) {
			t.Fatalf("cycle %d: postponed %d times, next %v", cycle, len(told), told[len(told)-1].Sub(now))
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
