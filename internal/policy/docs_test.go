// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// namedTest is a test that a document calls its witness.
var namedTest = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark|Example)[A-Z]\w+`)

// knownTests gives the names of all functions of tests.
func knownTests(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				known[f.Name.Name] = true
			}
		}
	}
	return known
}

// A document that names a test as its witness names one that exists.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	known := knownTests(t)
	root := filepath.Join("..", "..")
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) < 5 {
		t.Fatalf("%d documents: %v", len(docs), err)
	}
	docs = append(docs, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"))
	named := 0
	for _, path := range docs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range namedTest.FindAllString(string(text), -1) {
			if named++; !known[name] {
				t.Errorf("%s names %s, which does not exist", strings.TrimPrefix(path, root+"/"), name)
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d tests are named: the search is broken", named)
	}
}
