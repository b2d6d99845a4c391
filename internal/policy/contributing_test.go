// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"strings"
	"testing"
)

// A newcomer finds every folder in the table of CONTRIBUTING.md, and its layer in docs/explanation/architecture.md.
func TestDocumentsNameEveryPackage(t *testing.T) {
	for _, document := range []string{"CONTRIBUTING.md", "docs/explanation/architecture.md"} {
		text, err := os.ReadFile("../../" + document)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for _, s := range sources(t) {
			top, _, _ := strings.Cut(s.folder, "/")
			if top != "" && top != "." && !named[top] && !strings.Contains(string(text), "`"+top) {
				t.Errorf("%s does not name %s", document, top)
			}
			named[top] = true
		}
	}
}
