// SPDX-License-Identifier: Apache-2.0

package busrecord

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"pgregory.net/rapid"
)

// echoBus answers with what was written; a write of 0xEE fails.
type echoBus struct{}

func (echoBus) String() string                  { return "echo" }
func (echoBus) SetSpeed(physic.Frequency) error { return nil }
func (echoBus) Tx(addr uint16, w, r []byte) error {
	copy(r, w)
	if len(w) > 0 && w[0] == 0xEE {
		return errors.New("failed")
	}
	return nil
}

// valid accepts everything but 0xFF.
func valid(read []byte) bool { return len(read) == 0 || read[0] != 0xFF }

func counting() func() time.Time {
	var mu sync.Mutex
	n := int64(0)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		n++
		return time.Unix(0, n)
	}
}

func drain(t *Tap) (out []Event, numbers []uint64) {
	t.Drain(func(n uint64, e Event) {
		out, numbers = append(out, Event{e.Kind, e.Start, e.End, bytes.Clone(e.Wrote), bytes.Clone(e.Read)}), append(numbers, n)
	})
	return out, numbers
}

func TestTapRecordsOneChip(t *testing.T) {
	tap := NewTap(echoBus{}, 0x1F, counting())
	r := make([]byte, 3)
	_ = tap.Tx(0x1F, []byte{1}, r) // off
	tap.On(true)
	_ = tap.Tx(0x1F, []byte{1, 2, 3}, r)
	_ = tap.Tx(0x29, []byte{7}, r)
	tap.Used(time.Unix(0, 2))
	if err := tap.Tx(0x1F, []byte{0xEE}, nil); err == nil {
		t.Error("no error")
	}
	got, numbers := drain(tap)
	want := "[{1 2 3 [1 2 3] [1 2 3]} {3 2 2 [] []} {2 4 5 [238] []}] [0 1 2]"
	if s := fmt.Sprint(got, numbers); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	if tap.String() != "echo" || tap.SetSpeed(1) != nil {
		t.Error("String or SetSpeed not passed to the bus")
	}
}

func TestFullRingDropsAndCounts(t *testing.T) {
	tap := NewTap(echoBus{}, 1, counting())
	tap.On(true)
	for range ringSize + 10 {
		_ = tap.Tx(1, []byte{1}, nil)
	}
	if got, _ := drain(tap); len(got) != ringSize {
		t.Errorf("%d events", len(got))
	}
	_ = tap.Tx(1, []byte{2}, nil)
	if _, numbers := drain(tap); len(numbers) != 1 || numbers[0] != ringSize+10 {
		t.Errorf("numbers %v, want a gap of 10", numbers)
	}
}

func TestConcurrentTransfers(t *testing.T) {
	tap := NewTap(echoBus{}, 1, counting())
	tap.On(true)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 2000 {
				_ = tap.Tx(1, []byte{byte(g), byte(i), byte(i >> 8)}, nil)
			}
		})
	}
	stop := make(chan struct{})
	var got []Event
	var drained sync.WaitGroup
	drained.Go(func() {
		for {
			more, _ := drain(tap)
			got = append(got, more...)
			select {
			case <-stop:
				more, _ := drain(tap)
				got = append(got, more...)
				return
			default:
			}
		}
	})
	wg.Wait()
	close(stop)
	drained.Wait()
	last := map[byte]int{}
	for _, e := range got {
		n := int(e.Wrote[1]) | int(e.Wrote[2])<<8
		if n < last[e.Wrote[0]] {
			t.Fatalf("event %d of %d after %d", n, e.Wrote[0], last[e.Wrote[0]])
		}
		last[e.Wrote[0]] = n
	}
	if len(got)+int(tap.Dropped()) != 8000 {
		t.Errorf("%d events and %d dropped", len(got), tap.Dropped())
	}
}

func TestTapDoesNotAllocate(t *testing.T) {
	tap := NewTap(echoBus{}, 1, time.Now)
	tap.On(true)
	w, r := make([]byte, 20), make([]byte, 47)
	if n := testing.AllocsPerRun(100, func() {
		_ = tap.Tx(1, w, r)
		tap.Used(time.Time{})
		tap.Drain(func(uint64, Event) {})
	}); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

func TestBatchRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var trace [sha256.Size]byte
		for first := range uint64(3) {
			var encoded []byte
			var want []Event
			for range rapid.IntRange(0, 5).Draw(rt, "events") {
				e := Event{
					Kind:  Kind(rapid.IntRange(1, 3).Draw(rt, "kind")),
					Start: rapid.Int64().Draw(rt, "start"), End: rapid.Int64().Draw(rt, "end"),
					Wrote: rapid.SliceOfN(rapid.Byte(), 0, maxWrite).Draw(rt, "wrote"), Read: rapid.SliceOfN(rapid.Byte(), 0, maxRead).Draw(rt, "read"),
				}
				encoded, want = Append(encoded, e), append(want, e)
			}
			before := trace
			var b []byte
			b, trace = AppendBatch(nil, first, trace, encoded)
			got, err := ReadBatch(b)
			if err != nil || got.First != first || fmt.Sprint(got.Events) != fmt.Sprint(want) || !got.Follows(before) || got.Trace != trace {
				rt.Fatalf("%+v %v", got, err)
			}
			if len(b) > batchHead {
				b[len(b)-1] ^= 1
				if got, err := ReadBatch(b); err == nil && got.Follows(before) {
					rt.Fatal("a change is not detected")
				}
			}
		}
	})
}

func FuzzReadBatch(f *testing.F) {
	b, _ := AppendBatch(nil, 3, [32]byte{}, Append(Append(nil, Event{transferred, 1, 2, []byte{3}, []byte{4}}), Event{Used, 2, 2, nil, nil}))
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		batch, err := ReadBatch(b)
		if err != nil {
			if !errors.Is(err, errFormat) {
				t.Fatal(err)
			}
			return
		}
		var events []byte
		for _, e := range batch.Events {
			events = Append(events, e)
		}
		if !bytes.Equal(events, b[batchHead:]) {
			t.Fatal("encoding again gives other bytes")
		}
		Readings(batch.Events, valid)
	})
}

func TestReadingsReturnsUsedReadings(t *testing.T) {
	x := func(end int64, b byte) Event { return Event{transferred, end - 1, end, nil, []byte{b}} }
	used := func(at int64) Event { return Event{Used, at, at, nil, nil} }
	got := Readings([]Event{used(5), x(10, 1), x(20, 2), used(12), {failed, 28, 29, nil, nil}, x(30, 3), x(40, 4), x(45, 0xFF), used(47)}, valid)
	if s := fmt.Sprint(got); s != "[{12 12 [1] 0} {47 47 [4] 1}]" {
		t.Error(s)
	}
}

func TestReplay(t *testing.T) {
	r := NewReplay(7)
	into := make([]byte, 2)
	if err := r.Tx(7, nil, into); !errors.Is(err, errNoReading) {
		t.Error(err)
	}
	r.SetReading([]byte{1, 2})
	if err := r.Tx(7, nil, into); err != nil || !slices.Equal(into, []byte{1, 2}) {
		t.Error(into, err)
	}
	if err := r.Tx(8, nil, into); !errors.Is(err, errNoReading) {
		t.Error(err)
	}
	r.SetReading(nil)
	if err := errors.Join(r.Tx(7, nil, into), r.SetSpeed(1)); !errors.Is(err, errNoReading) || r.String() == "" {
		t.Error(err)
	}
}

// A transfer is recorded and read by another program.
func ExampleTap() {
	tap := NewTap(echoBus{}, 0x1F, func() time.Time { return time.Unix(0, 5) })
	tap.On(true)
	if err := tap.Tx(0x1F, []byte{1, 2}, make([]byte, 2)); err != nil {
		fmt.Println(err)
	}
	tap.Used(time.Unix(0, 5))
	var events []byte
	tap.Drain(func(_ uint64, e Event) { events = Append(events, e) })
	batch, _ := AppendBatch(nil, 0, [32]byte{}, events)

	read, err := ReadBatch(batch)
	if err != nil {
		fmt.Println(err)
	}
	for _, r := range Readings(read.Events, valid) {
		fmt.Println("taken at", r.Taken, "ns:", r.Read)
	}
	// Output: taken at 5 ns: [1 2]
}
