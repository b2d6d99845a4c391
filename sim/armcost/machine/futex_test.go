// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// TestFutexWait: which threads wait at a futex, until when, and which calls fail immediately.
func TestFutexWait(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 1)
	th := m.order[0]
	m.core.header().now.Store(uint64(m.ticks(time.Second)))
	at := g.put(t, binary.NativeEndian.AppendUint32(nil, 42))
	some, bad := g.put(t, words(2, 500)), g.put(t, words(0, -5))
	up, day := g.put(t, words(33, 0)), g.put(t, words(time.Date(2000, time.January, 1, 0, 0, 7, 0, time.UTC).Unix(), 0))
	for _, row := range []struct {
		name string
		args [6]uint64
		want answer
		wait time.Duration // until then; 0: no limit
	}{
		{"another value", [6]uint64{at, futexWait, 41}, failure(unix.EAGAIN), 0},
		{"no memory", [6]uint64{8, futexWait, 42}, failure(unix.EFAULT), 0},
		{"no bits", [6]uint64{at, futexWaitBits, 42}, failure(unix.EINVAL), 0},
		{"no bits to wake", [6]uint64{at, futexWakeBits, 1}, failure(unix.EINVAL), 0},
		{"no time", [6]uint64{at, futexWait, 42, bad}, failure(unix.EINVAL), 0},
		{"no memory of a time", [6]uint64{at, futexWait, 42, 8}, failure(unix.EFAULT), 0},
		{"no limit", [6]uint64{at, futexWait | 128, 42}, answer{}, 0},
		{"the low half of the value", [6]uint64{at, futexWait, 1<<40 | 42}, answer{}, 0},
		{"for a time", [6]uint64{at, futexWait, 42, some}, answer{}, 3*time.Second + 500},
		{"until a time", [6]uint64{at, futexWaitBits, 42, up, 0, 1}, answer{}, 3 * time.Second},
		{"until a time of day", [6]uint64{at, futexWaitBits | futexRealtime, 42, day, 0, 1}, answer{}, 7 * time.Second},
		{"another value to move", [6]uint64{at, futexCmpRequeue, 1, 1, at, 41}, failure(unix.EAGAIN), 0},
		{"the value to move", [6]uint64{at, futexCmpRequeue, 1, 1, at, 42}, result(0), 0},
	} {
		th.unwait()
		th.state = running
		a := m.futex(th, &call{args: row.args})
		if a != row.want || (th.state == blocked) == a.answered {
			t.Errorf("%s: %+v, state %d", row.name, a, th.state)
		}
		until := farAway
		if row.wait > 0 {
			until = m.ticks(row.wait)
		}
		if th.wait.deadline != until && th.state == blocked || th.wait.timed != (row.wait > 0) {
			t.Errorf("%s: waits until %d, want %d", row.name, th.wait.deadline, until)
		}
		if th.state == blocked && th.wait.expired != failure(unix.ETIMEDOUT) {
			t.Errorf("%s: returns %+v at its time-out", row.name, th.wait.expired)
		}
	}
}

// TestFutexQueues: waiting, waking and moving agree with queues at each address, first come, first served; also where
// a queue is moved to its own address, by as many as there are numbers.
func TestFutexQueues(t *testing.T) {
	g := newGuest(t)
	m := ours(t, 6)
	places := []uint64{g.put(t, make([]byte, 4)), g.put(t, make([]byte, 4)), g.put(t, make([]byte, 4))}
	number := rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(1<<31-1))
	rapid.Check(t, func(rt *rapid.T) {
		queues := map[uint64][]*thread{}
		for _, th := range m.order {
			th.unwait()
			th.state = running
		}
		woken := func(at uint64, n int) int64 {
			n = min(n, len(queues[at]))
			for _, th := range queues[at][:n] {
				if th.state != ready || th.reply != result(0) {
					rt.Fatalf("not woken: %+v", th)
				}
				th.state = running
			}
			queues[at] = queues[at][n:]
			return int64(n)
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			at, to := rapid.SampledFrom(places).Draw(rt, "at"), rapid.SampledFrom(places).Draw(rt, "to")
			n, moved := number.Draw(rt, "n"), number.Draw(rt, "moved")
			i := slices.IndexFunc(m.order, func(th *thread) bool { return th.state == running })
			switch operation := rapid.SampledFrom([]int{futexWait, futexWait, futexWake, futexRequeue}).Draw(rt, "operation"); {
			case operation == futexWait && i >= 0:
				m.futex(m.order[i], &call{args: [6]uint64{at, futexWait}})
				queues[at] = append(queues[at], m.order[i])
			case operation == futexWake:
				a := m.futex(m.order[0], &call{args: [6]uint64{at, futexWake, uint64(n)}})
				if want := result(woken(at, n)); a != want {
					rt.Fatalf("woken %+v, want %+v", a, want)
				}
			case operation == futexRequeue:
				a := m.futex(m.order[0], &call{args: [6]uint64{at, futexRequeue, uint64(n), uint64(moved), to}})
				want := woken(at, n)
				moved = min(moved, len(queues[at]))
				movers := slices.Clone(queues[at][:moved])
				queues[at] = queues[at][moved:]
				queues[to] = append(slices.Clone(queues[to]), movers...)
				if a != result(want+int64(moved)) {
					rt.Fatalf("woken and moved %+v, want %d", a, want+int64(moved))
				}
			}
			for _, p := range places {
				first := m.longest(m.order[0].p, p, allBits)
				if len(queues[p]) == 0 && first != nil || len(queues[p]) > 0 && first != queues[p][0] {
					rt.Fatalf("first in the queue is %+v, want %+v", first, queues[p])
				}
			}
		}
	})
}
