// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"
)

// TestUpward: the rule itself.
func TestUpward(t *testing.T) {
	edges := map[[2]string]bool{}
	for _, e := range [][2]string{
		{"t", "t/a"}, {"t/a", "t"}, {"t/a/x", "t/b"}, {"t/a", "t/b/y"}, {"t/b", "t/a/x"}, {"t/c", "t/b"},
	} {
		edges[e] = true
	}
	want := []string{"t/a imports t", "t/b imports t/a/x"}
	if got := upward(edges); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
