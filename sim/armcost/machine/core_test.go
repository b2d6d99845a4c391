// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// TestTicks: times become sixteenths of a cycle and back, and none comes too early.
func TestTicks(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var h header
		h.prepare(p, time.Unix(5, 0))
		h.hertz = rapid.Uint64Range(1e6, 4e9).Draw(t, "Hz")
		d := time.Duration(rapid.Int64Range(-10, int64(10000*time.Hour)).Draw(t, "d"))
		n := h.ticks(d)
		back := h.duration(n)
		if d <= 0 {
			if n != 0 {
				t.Fatalf("%v is %d", d, n)
			}
			return
		}
		if back < d || back > d+time.Duration(1+1e9/h.hertz) {
			t.Fatalf("%v is %d, which is %v", d, n, back)
		}
		if m := h.ticks(d + 1); m < n {
			t.Fatalf("%v is %d, %v is %d", d, n, d+1, m)
		}
	})
	var h header
	h.prepare(p, time.Unix(5, 0))
	if h.ticks(1<<63-1) > farAway || h.duration(farAway) <= 0 || h.start != 5e9 || h.hertz != 1e9 {
		t.Errorf("%+v", h.duration(farAway))
	}
	if h.callCost[armcost.SysClock] != 16*800 || h.eventCost[0] != 0 || h.eventCost[1] != 16 {
		t.Errorf("costs %d, %d, %d", h.callCost[armcost.SysClock], h.eventCost[0], h.eventCost[1])
	}
}

// threads makes a machine of threads that run nothing.
func threads(t *testing.T, n int) *Machine {
	t.Helper()
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(Config{Parameters: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.close(); err != nil {
			t.Error(err)
		}
	})
	own := &program{name: "none"}
	for i := range n {
		th := &thread{p: own, tid: i + 1, id: uint32(i + 1), state: ready}
		m.order = append(m.order, th)
		m.threads[th.tid] = th
	}
	return m
}

// TestFairness: threads that want the core all the time get the same of it; who sleeps is not starved when it wakes.
func TestFairness(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "threads")
		m := threads(t, n)
		had := map[*thread]ticks{}
		for range 200 {
			th := m.pick()
			ran := min(m.ticks(time.Duration(rapid.Int64Range(1, int64(4*time.Millisecond)).Draw(rt, "ran"))), max(1, m.sliceEnd-m.now()))
			m.core.header().now.Add(uint64(ran))
			th.virtual += ran
			had[th] += ran
			m.last = th
		}
		least, most := farAway, ticks(0)
		for _, th := range m.order {
			least, most = min(least, had[th]), max(most, had[th])
		}
		if most-least > m.ticks(2*defaultSlice+granularity) {
			rt.Fatalf("one had %d, another %d", most, least)
		}
	})
	m := threads(t, 2)
	busy, lazy := m.order[0], m.order[1]
	lazy.block(wait{deadline: m.ticks(time.Second), expired: result(0), timed: true})
	if th := m.pick(); th != busy {
		t.Fatal("who sleeps has the core")
	}
	m.core.header().now.Store(uint64(m.ticks(time.Second)))
	busy.virtual, m.floor, m.last = m.ticks(time.Second), m.ticks(time.Second), busy
	if m.next() != m.ticks(time.Second) {
		t.Errorf("next is %d", m.next())
	}
	if err := m.expire(); err != nil {
		t.Fatal(err)
	}
	if th := m.pick(); th != lazy || lazy.due != m.ticks(time.Second) || !m.preempts(busy) || !m.contended(lazy) {
		t.Errorf("who woke up does not get the core: %+v", lazy)
	}
	m.forget(busy)
	if m.contended(lazy) || len(m.threads) != 1 {
		t.Error("a thread that has ended is there")
	}
}

// TestFutexOrder: who waits longest is woken first, and only at its address.
func TestFutexOrder(t *testing.T) {
	m := threads(t, 5)
	for i, th := range m.order {
		m.waited++
		th.turn = 10 - m.waited
		th.block(wait{deadline: farAway, futex: uint64(1 + i%2), bits: 1 << i})
	}
	p := m.order[0].p
	if n := m.futexWake(p, 1, 1, allBits); n != 1 || m.order[4].state != ready {
		t.Errorf("%d woken", n)
	}
	if n := m.futexWake(p, 1, 5, 4); n != 1 || m.order[2].state != ready || m.order[0].state != blocked {
		t.Errorf("%d woken by their bits", n)
	}
	if n := m.futexWake(&program{}, 2, 5, allBits); n != 0 {
		t.Errorf("%d woken of another program", n)
	}
	a := m.futex(m.order[4], &call{args: [6]uint64{2, futexRequeue, 1, 5, 77}})
	if a.value != 2 || m.order[3].state != ready || m.order[1].wait.futex != 77 {
		t.Errorf("%+v: %+v", a, m.order[1].wait)
	}
	if a := m.futex(m.order[4], &call{args: [6]uint64{2, 6}}); a.errno == 0 {
		t.Errorf("an operation that is not there: %+v", a)
	}
}

// TestLate: how late threads got the core is counted.
func TestLate(t *testing.T) {
	p := &program{}
	for _, d := range []time.Duration{0, tolerable, 2 * tolerable, 5 * tolerable} {
		p.lateBy(d)
	}
	if p.late != 2 || p.worst != 5*tolerable {
		t.Errorf("%d, %v", p.late, p.worst)
	}
}
