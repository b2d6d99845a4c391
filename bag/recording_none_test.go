// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || nosqlite

package bag

import "testing"

// writeRecording writes a file of MCAP, the only storage here.
func writeRecording(t *testing.T, path, _ string) {
	t.Helper()
	writeMCAP(t, path, true, entry{"/a", 1, "x"})
}

func writeSmallSQLite(*testing.T, string) {} // there are no such bags

func writePackedSQLite(*testing.T, string, string) {}
