// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package smalldisk

import "testing"

// Run skips the test: only Linux has mount namespaces.
func Run(t *testing.T, _ int64, _ func(t *testing.T, dir string)) {
	t.Helper()
	t.Skip("needs the mount namespaces of Linux")
}

// Fill fails the test: there is no disk to fill, for Run skips.
func Fill(t *testing.T, _ string, _ int64) {
	t.Helper()
	t.Fatal("needs the mount namespaces of Linux")
}
