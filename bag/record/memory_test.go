// SPDX-License-Identifier: Apache-2.0

//go:build system

package record

import (
	"runtime"
	"testing"
)

// TestMemoryIsBounded: while the disk hangs, the heap grows by the cache and little more.
func TestMemoryIsBounded(t *testing.T) { recordOnHangingDisk(t, heap) }

// heap returns the bytes in use after collecting what is not.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
