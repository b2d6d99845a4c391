// SPDX-License-Identifier: Apache-2.0

package waitset_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// A queue behaves as a slice from which the oldest value is dropped beyond the limit.
func TestQueueIsABoundedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(-1, 5).Draw(t, "limit")
		q := waitset.NewQueue[int](limit)
		var model []int
		lost, next := int64(0), 0
		t.Repeat(map[string]func(*rapid.T){
			"put": func(*rapid.T) {
				if model = append(model, next); len(model) > max(1, limit) {
					model = model[1:]
					lost++
				}
				q.Put(next)
				next++
			},
			"take": func(t *rapid.T) {
				v, ok := q.Take()
				if ok != (len(model) > 0) || ok && v != model[0] {
					t.Fatalf("took %d, %v from %v", v, ok, model)
				}
				if ok {
					model = model[1:]
				}
			},
			"take all": func(t *rapid.T) {
				if all := q.TakeAll([]int{-1}); !slices.Equal(all, append([]int{-1}, model...)) {
					t.Fatalf("took %v from %v", all, model)
				}
				model = nil
			},
			"latest": func(t *rapid.T) {
				v, ok := q.Latest()
				if ok != (len(model) > 0) || ok && v != model[len(model)-1] {
					t.Fatalf("the latest of %v is %d, %v", model, v, ok)
				}
				model = nil
			},
			"": func(t *rapid.T) {
				if q.Len() != len(model) || q.Ready() != (len(model) > 0) || q.Lost() != lost {
					t.Fatalf("%d values, ready %v, %d lost; want those of %v, %d lost", q.Len(), q.Ready(), q.Lost(), model, lost)
				}
			},
		})
	})
}
