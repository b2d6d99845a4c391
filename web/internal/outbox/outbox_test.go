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

// drain takes out all that may leave now.
func drain(b *Box) (out []string) {
	for {
		f, _, ok, _ := b.next(time.Now())
		if !ok {
			return out
		}
		out = append(out, string(f.Head)+string(f.Body))
	}
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

func TestPeriodLetsTheLatestThrough(t *testing.T) {
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
			frame, err := b.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s@%v", frame.Head, time.Since(start).Truncate(time.Second)))
		}
		if got[0] != "0@0s" || time.Since(start) != 3*time.Second {
			t.Error(got, time.Since(start))
		}
		wg.Wait()
	})
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
	if _, err := b.Next(context.Background()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := b.Answer(text("x")); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestBoxKeepsItsLimits: whatever comes, the bytes stay within the limit and are those that wait, and the last message
// of a flow that is not full of larger ones is the one that arrives last.
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
				b.next(time.Now())
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
