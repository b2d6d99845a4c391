// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestHistoryAgainstModel compares the ring with a map.
func TestHistoryAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		h := newHistory(limit)
		model := map[wire.SequenceNumber]byte{}
		next := wire.SequenceNumber(1)
		for i := range rapid.IntRange(1, 100).Draw(t, "operations") {
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				sn := wire.SequenceNumber(rapid.Int64Range(0, int64(next)+1).Draw(t, "sn"))
				h.remove(sn)
				delete(model, sn)
			} else {
				if h.full() {
					delete(model, h.first)
				}
				c := h.blank()
				c.setPayload([]byte{byte(i)})
				h.push(c)
				model[next] = byte(i)
				next++
			}
			for sn := wire.SequenceNumber(0); sn <= next; sn++ {
				c := h.get(sn)
				if _, want := model[sn]; want != (c != nil) || want && (c.sn != sn || c.payload(0)[0] != model[sn]) {
					t.Fatalf("sample %d: %v, model %v", sn, c, model)
				}
			}
			if h.next != next || h.first < next && h.get(h.first) == nil {
				t.Fatalf("first %d next %d", h.first, h.next)
			}
		}
	})
}

// TestChangeInUse: a sample overwritten while it is being sent keeps its bytes until it is released.
func TestChangeInUse(t *testing.T) {
	h := newHistory(1)
	c := h.blank()
	c.setPayload([]byte{1})
	h.push(c)
	c.use()
	for i := range 3 {
		n := h.blank()
		if n == c {
			t.Fatal("buffer used twice")
		}
		n.setPayload([]byte{byte(2 + i)})
		h.push(n)
	}
	if c.payload(0)[0] != 1 {
		t.Error("bytes changed")
	}
	h.release(c)
	if !slices.Contains(h.pool, c) {
		t.Error("not used again")
	}
}

func TestVariantPayloads(t *testing.T) {
	var c change
	if c.payload(0) != nil {
		t.Error("payload of an empty change")
	}
	c.setPayloads([]byte{1}, []byte{2, 2})
	for variant, want := range map[int]int{-1: 1, 0: 1, 1: 2, 7: 2} {
		if got := len(c.payload(variant)); got != want {
			t.Errorf("variant %d has %d bytes", variant, got)
		}
	}
	c.setPayload([]byte{3})
	if got := c.payload(1); len(got) != 1 || got[0] != 3 {
		t.Errorf("got %v", got)
	}
}

// TestBucket: never more than burst + rate × time leaves, and waiting as told suffices.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBucket(1_000_000, 10_000)
		now := time.Unix(1000, 0)
		begin, sent := now, 0
		for range 200 {
			b.refill(now)
			if b.ready() {
				n := rapid.IntRange(1, 1500).Draw(t, "size")
				b.spend(n)
				sent += n
			} else {
				now = now.Add(b.wait())
				if b.refill(now); !b.ready() {
					t.Fatal("not ready after the wait")
				}
			}
			if limit := 10_000 + 1500 + int(now.Sub(begin).Seconds()*1_000_000); sent > limit {
				t.Fatalf("%d bytes in %v", sent, now.Sub(begin))
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Microsecond)
		}
	})
}

// TestAlarms: alarms fire in the order of their times, and may be moved and cancelled.
func TestAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newAlarmQueue()
		var fired []int
		now := time.Now()
		list := make([]alarm, 6)
		for i := range list {
			list[i].fire = func(time.Time) { fired = append(fired, i) }
			q.set(&list[i], now.Add(time.Duration(10-i)*time.Second))
		}
		q.set(&list[5], now.Add(20*time.Second))        // later
		q.setEarlier(&list[0], now.Add(time.Second))    // earlier
		q.setEarlier(&list[1], now.Add(30*time.Second)) // not later
		q.cancel(&list[2])
		q.cancel(&list[2])
		next := q.run(now)
		if want := now.Add(time.Second); !next.Equal(want) {
			t.Errorf("next %v, want %v", next, want)
		}
		q.set(&list[2], now.Add(time.Millisecond))
		select {
		case <-q.wake:
		default:
			t.Error("an earlier time did not wake")
		}
		q.run(now.Add(time.Minute))
		if want := []int{2, 0, 4, 3, 1, 5}; !slices.Equal(fired, want) {
			t.Errorf("fired %v, want %v", fired, want)
		}
	})
}

func TestCounter(t *testing.T) {
	var k counter
	for i, c := range []struct {
		count wire.Count
		want  bool
	}{{0, true}, {0, false}, {1, true}, {1, false}, {5, true}, {4, false}, {math.MaxInt32, true}, {math.MinInt32, true}, {math.MaxInt32, false}} {
		if got := k.accept(c.count); got != c.want {
			t.Errorf("step %d: count %d: %v", i, c.count, got)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for name, c := range map[string]Config{
		"domain": {DomainID: 233}, "rate": {SendRate: -1}, "lease": {LeaseDuration: -1}, "limit": {Limits: Limits{EndpointBytes: -1}},
	} {
		if _, err := NewParticipant(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := wire.DefaultReaderQoS()
	bad := q
	bad.Depth = 0
	for name, err := range map[string]error{
		"topic":       checkEndpoint("", "t", q),
		"type":        checkEndpoint("t", "", q),
		"depth":       checkEndpoint("t", "t", bad),
		"reliability": checkEndpoint("t", "t", wire.QoS{Depth: 1}),
	} {
		if !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
