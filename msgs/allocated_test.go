// SPDX-License-Identifier: Apache-2.0

//go:build !long

package msgs_test

// allocated calls f. What the process allocates meanwhile counts with tag long alone: it is not f's alone.
func allocated(f func()) uint64 {
	f()
	return 0
}
