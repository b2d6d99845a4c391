// SPDX-License-Identifier: Apache-2.0

//go:build peers

package traci_test

import (
	"strings"
	"testing"
)

// TestEveryCommandOfSUMOsClient: each method of its Python package, found by introspection, is answered or refused, and
// the connection lives on.
func TestEveryCommandOfSUMOsClient(t *testing.T) {
	g := serve(t, town, nil)
	counts := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(python(t, "every.py", g.port())), "\n") {
		words := strings.SplitN(line, " ", 2)
		if len(words) != 2 {
			t.Fatalf("%q", line)
		}
		outcome, _, _ := strings.Cut(words[1], ":")
		counts[outcome]++
		if outcome == "broken" {
			t.Errorf("%s", line)
		}
	}
	g.over()
	t.Logf("%v", counts)
	if counts["ok"] < 150 || counts["refused"] < 100 {
		t.Errorf("%v: the introspection found too little", counts)
	}
}
