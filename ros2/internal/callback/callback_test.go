// SPDX-License-Identifier: Apache-2.0

package callback_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/callback"
)

// called returns what the functions of the list return.
func called(l *callback.List[func() int]) (out []int) {
	for f := range l.All {
		out = append(out, f())
	}
	return out
}

// The list is a slice to which one appends and from which one deletes.
func TestListProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l callback.List[func() int]
		var model []int
		cancels := map[int]func(){}
		for i := range rapid.IntRange(0, 30).Draw(t, "steps") {
			if len(model) > 0 && rapid.Bool().Draw(t, "cancel") {
				k := rapid.SampledFrom(model).Draw(t, "which")
				cancels[k]()
				cancels[k]()
				model = slices.DeleteFunc(model, func(x int) bool { return x == k })
				continue
			}
			cancels[i] = l.Add(func() int { return i })
			model = append(model, i)
		}
		if got := called(&l); !slices.Equal(got, model) {
			t.Fatalf("called %v, want %v", got, model)
		}
	})
}

func TestFunctionsMayChangeTheList(t *testing.T) {
	var l callback.List[func() int]
	var cancel func()
	cancel = l.Add(func() int {
		cancel()
		l.Add(func() int { return 3 })
		return 1
	})
	l.Add(func() int { return 2 })
	first, second := called(&l), called(&l)
	if !slices.Equal(first, []int{1, 2}) || !slices.Equal(second, []int{2, 3}) {
		t.Errorf("called %v, then %v", first, second)
	}
	for range l.All {
		break
	}
}

func TestListConcurrently(t *testing.T) {
	var l callback.List[func()]
	var calls atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				cancel := l.Add(func() { calls.Add(1) })
				for f := range l.All {
					f()
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if calls.Load() < 800 {
		t.Errorf("%d calls, want 800 at least", calls.Load())
	}
	l.All(func(func()) bool { t.Error("not empty"); return true })
}
