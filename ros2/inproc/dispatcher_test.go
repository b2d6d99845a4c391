// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Callbacks of one dispatcher run one at a time, whichever goroutines put messages.
func TestDispatcherRunsOneAtATime(t *testing.T) {
	l := newDispatcher()
	inside, total := 0, 0
	var boxes []*mailbox[int]
	var handled sync.WaitGroup // a goroutine of the dispatcher may handle the last ones
	handled.Add(2000)
	for range 5 {
		boxes = append(boxes, newMailbox(l, func(*int, Info) {
			inside++
			if inside != 1 {
				t.Error("two callbacks at a time")
			}
			inside--
			total++
			handled.Done()
		}, MaxWaiting))
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 500 {
				boxes[(i+j)%5].put(new(int), Info{})
			}
		})
	}
	wg.Wait()
	handled.Wait()
	for _, b := range boxes {
		b.close(time.Second)
	}
	if total != 2000 {
		t.Errorf("%d callbacks, want 2000", total)
	}
}

// The first owner does not handle others' messages forever: after some rounds a goroutine takes over.
func TestDispatcherOwnerIsReplacedAfterMaxRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int64
		const messages = 3 * maxRounds
		gate := make(chan struct{})
		b := newMailbox(newDispatcher(), func(_ *int, info Info) {
			if len(got) == maxRounds {
				<-gate // closed when work has returned: never, if it handles this one
			}
			got = append(got, info.Sequence)
		}, MaxWaiting)
		for i := range int64(messages) {
			b.post(Received[int]{nil, Info{Sequence: i}})
		}
		b.dispatcher.work()
		close(gate)
		synctest.Wait()
		if len(got) != messages || !slices.IsSorted(got) || b.dispatcher.state.Load() != dispatcherIdle {
			t.Errorf("%d messages, in order: %v", len(got), slices.IsSorted(got))
		}
	})
}
