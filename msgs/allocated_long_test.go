// SPDX-License-Identifier: Apache-2.0

//go:build long

package msgs_test

import "runtime"

// allocated calls f and returns how many bytes the process has allocated meanwhile.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
