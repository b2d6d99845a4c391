// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestDocumentsAreOfOneKindAndInTheIndex: docs has no document but the index, which links every other one.
func TestDocumentsAreOfOneKindAndInTheIndex(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	index, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := manualPages(t)
	for _, path := range known {
		if link, _ := filepath.Rel(docs, path); !strings.Contains(string(index), "]("+filepath.ToSlash(link)+")") {
			t.Errorf("docs/README.md does not link %s", link)
		}
	}
	err = filepath.WalkDir(docs, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" && path != filepath.Join(docs, "README.md") && !slices.Contains(known, path) {
			t.Errorf("%s is in none of the folders %v", path, kindsOfDocuments)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDocumentsSayWhoTheyAreFor: the first paragraph of each document begins with its readers.
func TestDocumentsSayWhoTheyAreFor(t *testing.T) {
	for _, path := range manualPages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n\n")
		if !strings.HasPrefix(rest, "For ") && !strings.HasPrefix(rest, "A tutorial for ") {
			t.Errorf("%s: the first paragraph does not begin with \"For …\"", path)
		}
	}
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
