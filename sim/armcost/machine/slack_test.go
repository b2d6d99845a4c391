// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"testing"
	"time"
)

// TestSlack: waits of a program with slack end as late as they may, together with what comes before; those without it,
// and waits that the program set no time to, are exact.
func TestSlack(t *testing.T) {
	m := threads(t, 3)
	first, second, other := m.order[0], m.order[1], m.order[2]
	patient := *first.p
	patient.slack = time.Millisecond
	first.p, second.p = &patient, &patient
	at := func(d time.Duration) ticks { return m.ticks(d) }
	first.block(wait{deadline: at(10 * time.Millisecond), expired: result(0), timed: true})
	second.block(wait{deadline: at(10500 * time.Microsecond), expired: result(0), timed: true})
	other.block(wait{deadline: farAway})
	if got := m.next(); got != at(11*time.Millisecond) {
		t.Errorf("next at %d, want 11 ms", got)
	}
	other.block(wait{deadline: at(10200 * time.Microsecond), expired: result(0), timed: true})
	if got := m.next(); got != at(10200*time.Microsecond) {
		t.Errorf("next at %d, want 10.2 ms: it has no slack", got)
	}
	m.core.header().now.Store(uint64(at(10200 * time.Microsecond)))
	if err := m.expire(); err != nil {
		t.Fatal(err)
	}
	if first.state != ready || other.state != ready || second.state != blocked {
		t.Errorf("states %d, %d, %d: the first ends with the other", first.state, second.state, other.state)
	}
	if first.due != at(11*time.Millisecond) || other.due != at(10200*time.Microsecond) {
		t.Errorf("due %d and %d", first.due, other.due)
	}
	second.block(wait{deadline: at(12 * time.Millisecond), expired: result(0)})
	if got := m.next(); got != at(12*time.Millisecond) {
		t.Errorf("next at %d: a wait of the machine's own is exact", got)
	}
}
