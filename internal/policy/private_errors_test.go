// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unexportedError matches the name of an error that a user of its package cannot test for.
var unexportedError = regexp.MustCompile(`\berr[A-Z]\w*`)

// TestPublicCommentsNameNoUnexportedErrors: the documentation of public packages that are no program names no errX,
// which their users cannot pass to errors.Is.
func TestPublicCommentsNameNoUnexportedErrors(t *testing.T) {
	public := map[string]bool{}
	for _, p := range packages(t) {
		public[p.folder] = !p.main && !slices.Contains(strings.Split(p.folder, "/"), "internal")
	}
	comments := 0
	for _, s := range sources(t) {
		if s.test || s.gen || !public[s.folder] {
			continue
		}
		for _, c := range publicComments(s.ast) {
			comments++
			if name := unexportedError.FindString(c.Text()); name != "" {
				t.Errorf("%s names %s, which is not exported", place(s.path, s.fset.Position(c.Pos()).Line), name)
			}
		}
	}
	if comments < 1000 {
		t.Errorf("only %d comments were read: the search is broken", comments)
	}
}
