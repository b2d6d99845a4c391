// SPDX-License-Identifier: Apache-2.0

//go:build system

package rmw

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestMemoryOfAPair: the memory of a participant for each remote one, with a standard node, is bounded: a process in a
// domain of 200 needs it 199 times. With T(n) = a n + b n (n-1) bytes of n participants, b is (T(2n) - 2 T(n)) / 2n².
func TestMemoryOfAPair(t *testing.T) {
	const most = 24_000
	n := 40
	if !suite.Long {
		n = 16
	}
	pair := (memoryOf(t, 2*n) - 2*memoryOf(t, n)) / (2 * n * n)
	t.Logf("%d bytes a pair of participants, %.1f MB of 200 in one of them", pair, 199e-6*float64(pair))
	if pair > most {
		t.Errorf("%d bytes a pair of participants, at most %d", pair, most)
	}
}

// memoryOf returns the memory of n participants with a standard node after all have discovered all, bytes.
func memoryOf(t *testing.T, n int) (used int) {
	synctest.Test(t, func(t *testing.T) {
		network := vnet.New(vnet.Config{})
		var all []*Transport
		before := heapBytes()
		for i := range n {
			tr := open(t, network.Host(byte(1+i/2)))
			if _, err := ros2.NewNode(ros2.NodeConfig{Name: fmt.Sprint("n", i), Transport: tr, Standard: true}); err != nil {
				t.Fatal(err)
			}
			all = append(all, tr)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		used = heapBytes() - before
		for _, tr := range all {
			if got := len(tr.Graph().Nodes); got != n {
				t.Fatalf("%d nodes seen of %d", got, n)
			}
		}
	})
	return used
}

// heapBytes returns the bytes in use on the heap.
func heapBytes() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
