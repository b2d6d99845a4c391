// SPDX-License-Identifier: Apache-2.0

//go:build system

package rtps_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
)

// TestMemoryOfAMesh logs, with -v, the memory of a mesh of 70 participants, or as many as EPUCK_MESH says: 300 are
// 90,000 pairs.
func TestMemoryOfAMesh(t *testing.T) {
	n := 70
	if value := os.Getenv("EPUCK_MESH"); value != "" {
		var err error
		if n, err = strconv.Atoi(value); err != nil {
			t.Fatal(err)
		}
	}
	mesh(t, n, func() {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%d KB each, %d bytes for each one known", m.HeapAlloc/uint64(n)/1024, m.HeapAlloc/uint64(n*n))
	})
}
