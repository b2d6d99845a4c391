// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// inMemory opens a transport without sockets, which simulated time requires.
func inMemory() (ros2.ServiceTransport, error) { return ros2test.NewTransport(), nil }

// results returns the results of runs in simulated time, where callbacks take exactly their random times.
func results(t *testing.T, runs uint64, run func(open opener, seed uint64) (string, error)) (all []string) {
	t.Helper()
	for seed := range runs {
		synctest.Test(t, func(t *testing.T) {
			result, err := run(inMemory, seed)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, result)
		})
	}
	return all
}

// A hundred runs in a fixed order have the same result, although each has other execution times.
func TestRunsInFixedOrderAreIdentical(t *testing.T) {
	all := results(t, 100, fixed)
	const want = "0.041406 m, 1.045145 m/s after 20 pictures and 20 detections"
	for seed, result := range all {
		if result != want {
			t.Errorf("run %d: %s, want %s", seed, result, want)
		}
	}
}

// On a multi-threaded executor the same execution times lead to other results: messages arrive in another order, and
// some are missed.
func TestFreeRunsDiffer(t *testing.T) {
	different := map[string]bool{}
	for _, result := range results(t, 20, free) {
		different[result] = true
	}
	if len(different) < 2 {
		t.Errorf("20 runs have the same result: %v", different)
	}
}
