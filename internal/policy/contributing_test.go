// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"strings"
	"testing"
)

// A newcomer finds every room in the table of CONTRIBUTING.md.
func TestContributingNamesEveryRoom(t *testing.T) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources(t) {
		top, _, _ := strings.Cut(s.room, "/")
		if top != "" && top != "." && !strings.Contains(string(text), "`"+top) {
			t.Errorf("CONTRIBUTING.md does not name %s", top)
		}
	}
}
