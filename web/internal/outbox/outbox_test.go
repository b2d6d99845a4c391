// SPDX-License-Identifier: Apache-2.0

package outbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func text(s string) Frame { return Frame{Head: []byte(s), Text: true} }

// drain returns all frames that are due.
func drain(b *Box) (out []string) {
	frames, _, _ := b.next(nil, Limit, time.Now())
	for _, f := range frames {
		out = append(out, string(f.Head)+string(f.Body))
	}
	return out
}

func TestAnswersComeFirstAndTheLatestMessageWins(t *testing.T) {
	b := New(0)
	a, log := b.Flow(FlowOptions{}), b.Flow(FlowOptions{Depth: 3})
	for i := range 5 {
		a.Put(text(fmt.Sprint("a", i)))
		log.Put(text(fmt.Sprint("l", i)))
	}
	if err := b.Answer(text("answer")); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(drain(b)); got != "[answer a4 l2 l3 l4]" {
		t.Error(got)
	}
	if s := b.Stats(); s.Dropped != 6 || s.Sent != 5 || s.Bytes != 0 {
		t.Errorf("%+v", s)
	}
}

func TestAcknowledgedFlowHasOneFrameUnderWay(t *testing.T) {
	b := New(0)
	f := b.Flow(FlowOptions{Acknowledge: true})
	f.Put(text("1"))
	f.Put(text("2"))
	if got := fmt.Sprint(drain(b)); got != "[2]" {
		t.Error(got)
	}
	f.Put(text("3"))
	f.Put(text("4"))
	if got := drain(b); got != nil {
		t.Error(got)
	}
	f.Acknowledge()
	if got := fmt.Sprint(drain(b)); got != "[4]" {
		t.Error(got)
	}
}

func TestPeriodSendsTheLatest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(0)
		f := b.Flow(FlowOptions{Period: time.Second})
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 40 {
				f.Put(text(fmt.Sprint(i)))
				time.Sleep(100 * time.Millisecond)
			}
		})
		var got []string
		start := time.Now()
		for range 4 {
			frames, err := b.Next(t.Context(), nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s@%v", frames[0].Head, time.Since(start).Truncate(time.Second)))
		}
		if got[0] != "0@0s" || time.Since(start) != 3*time.Second {
			t.Error(got, time.Since(start))
		}
		wg.Wait()
	})
}

// Next returns the queued frames, as many as begin within the requested size.
func TestNextReturnsQueuedFramesTogether(t *testing.T) {
	b := New(0)
	f := b.Flow(FlowOptions{Depth: 10})
	for i := range 3 {
		f.Put(Frame{Body: []byte{'m', byte('0' + i)}})
	}
	for i := range 2 {
		if err := b.Answer(Frame{Body: []byte{'a', byte('0' + i)}}); err != nil {
			t.Fatal(err)
		}
	}
	const one = perFrame + 2
	for _, c := range []struct {
		size int
		want string
	}{{1, "a0 "}, {one + 1, "a1 m0 "}, {2 * one, "m1 m2 "}} {
		frames, err := b.Next(t.Context(), nil, c.size)
		got := ""
		for _, f := range frames {
			got += string(f.Body) + " "
		}
		if err != nil || got != c.want {
			t.Errorf("%d bytes: %q, %v; want %q", c.size, got, err, c.want)
		}
	}
	if s := b.Stats(); s.Bytes != 0 || s.Sent != 5 {
		t.Errorf("%+v", s)
	}
}

// Repeated use of a flow does not allocate.
func TestMessagesDoNotAllocate(t *testing.T) {
	b := New(0)
	flows := []*Flow{b.Flow(FlowOptions{}), b.Flow(FlowOptions{}), b.Flow(FlowOptions{Depth: 3})}
	frames := make([]Frame, 0, 10)
	turn := func() {
		for range 4 { // more than the depth
			for _, f := range flows {
				f.Put(Frame{})
			}
		}
		frames, _, _ = b.next(frames[:0], Limit, time.Time{})
	}
	turn()
	if n := testing.AllocsPerRun(100, turn); n != 0 || len(frames) != 5 {
		t.Errorf("%v allocations, %d messages", n, len(frames))
	}
}

func TestFullOfAnswersIsAnError(t *testing.T) {
	b := New(1000)
	f := b.Flow(FlowOptions{Depth: 100})
	for range 20 {
		f.Put(Frame{Body: make([]byte, 50)})
	}
	var err error
	n := 0
	for ; err == nil; n++ {
		err = b.Answer(Frame{Body: make([]byte, 100)})
	}
	if !errors.Is(err, ErrFull) || n != 7 || b.Stats().Bytes > 1000 {
		t.Error(n, err, b.Stats())
	}
}

func TestCloseEndsNext(t *testing.T) {
	b := New(0)
	go b.Close()
	if _, err := b.Next(context.Background(), nil, 1); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := b.Answer(text("x")); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestBoxKeepsItsLimits: the bytes are those of the queued frames and never exceed the limit, and a flow delivers its
// latest message last, unless larger ones fill the box.
func TestBoxKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := New(2000)
		var flows []*Flow
		for i := range 3 {
			flows = append(flows, b.Flow(FlowOptions{Depth: i + 1, Acknowledge: i == 2}))
		}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			f := flows[rapid.IntRange(0, 2).Draw(t, "flow")]
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				b.next(nil, rapid.IntRange(1, 3000).Draw(t, "size of next"), time.Now())
			case 1:
				f.Acknowledge()
			default:
				f.Put(Frame{Body: make([]byte, rapid.IntRange(0, 2500).Draw(t, "size"))})
			}
			sum := 0
			for _, f := range flows {
				if len(f.list) > f.depth {
					t.Fatalf("%d messages wait in a flow of depth %d", len(f.list), f.depth)
				}
				for _, e := range f.list {
					sum += e.frame.size()
				}
			}
			if s := b.Stats(); s.Bytes != sum || s.Bytes > 2000 {
				t.Fatalf("%d bytes counted, %d wait", s.Bytes, sum)
			}
		}
	})
}
