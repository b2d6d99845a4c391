// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every Go block of docs/ros2.md that is not marked "ignore" is contained in example_docs_test.go, line by line: it
// compiles and runs.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../docs/ros2.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_docs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) < 6 {
		t.Errorf("only %d blocks found", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(string(code), string(b[1])) {
			t.Errorf("not in example_docs_test.go:\n%s", b[1])
		}
	}
}
