// SPDX-License-Identifier: Apache-2.0

//go:build system

package ros2_test

import (
	"runtime"
	"testing"
)

// TestFloodOfServiceCallsNeedsLittleMemory: the requests that are kept take less than 16 MB.
func TestFloodOfServiceCallsNeedsLittleMemory(t *testing.T) { floodServiceCalls(t, heapInUse) }

// heapInUse returns the size of reachable memory, bytes.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
