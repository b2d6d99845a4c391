// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// tree is what the measures read: the project's files.
type tree struct {
	root      string
	sources   []policy.Source
	packages  []policy.Package
	documents []document // Markdown, scripts, configuration and the page's source
	scripts   []document // testdata/script/*.txtar
}

// document is a file that is not Go's; its path is slash-separated, from the root.
type document struct{ path, text string }

func readTree(root string) (*tree, error) {
	sources, err := policy.Read(root)
	if err != nil {
		return nil, err
	}
	t := &tree{root: root, sources: sources, packages: policy.Packages(sources)}
	return t, filepath.WalkDir(root, t.add)
}

// add reads a file if a measure is interested in it.
func (t *tree) add(file string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	name := d.Name()
	if d.IsDir() {
		if file != t.root && (name == "bin" || name == "dist" || name == "node_modules" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		return nil
	}
	rel, err := filepath.Rel(t.root, file)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	data := strings.Contains("/"+rel, "/testdata/")
	script := path.Ext(rel) == ".txtar" && strings.Contains(rel, "/testdata/script/")
	if !script && (data || path.Ext(rel) != ".md" && !isConfiguration(name) && !isPage(rel)) {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if script {
		t.scripts = append(t.scripts, document{rel, string(text)})
	} else {
		t.documents = append(t.documents, document{rel, string(text)})
	}
	return nil
}

func isConfiguration(name string) bool {
	switch path.Ext(name) {
	case ".sh", ".yaml", ".yml", ".py", ".service":
		return true
	}
	return name == "Makefile" || strings.HasPrefix(name, "Dockerfile")
}

// isPage reports whether a file is source of the page.
func isPage(file string) bool {
	return strings.HasPrefix(file, "web/internal/page/src/") && (path.Ext(file) == ".ts" || path.Ext(file) == ".html")
}
