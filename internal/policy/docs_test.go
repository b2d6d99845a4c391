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
		for _, d := range s.AST.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.Test && f.Recv == nil {
				known[f.Name.Name] = true
			}
		}
	}
	return known
}

// kindsOfDocuments are the folders of docs, https://diataxis.fr: a lesson, a goal, facts, reasons.
var kindsOfDocuments = []string{"tutorial", "howto", "reference", "explanation"}

// manualPages returns the paths of the documents below docs but its index.
func manualPages(t *testing.T) (paths []string) {
	t.Helper()
	for _, kind := range kindsOfDocuments {
		files, err := filepath.Glob(filepath.Join("..", "..", "docs", kind, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatalf("docs/%s: %d documents: %v", kind, len(files), err)
		}
		paths = append(paths, files...)
	}
	return paths
}

// A document that names a test as its witness names one that exists.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	known := knownTests(t)
	root := filepath.Join("..", "..")
	named := 0
	for _, path := range append(manualPages(t), filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
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
