// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// errModule means that the import path of a folder cannot be determined.
var errModule = errors.New("no module: run msggen in a Go module, or set -import")

// importPath returns the import path of a folder in a module.
func importPath(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	below := ""
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch {
		case err == nil:
			module, err := modulePath(string(text))
			return path.Join(module, below), err
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		case filepath.Dir(dir) == dir:
			return "", errModule
		}
		below = path.Join(filepath.Base(dir), below)
		dir = filepath.Dir(dir)
	}
}

// modulePath returns the path in the module directive of a go.mod.
func modulePath(text string) (string, error) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) != 2 || words[0] != "module" {
			continue
		}
		if unquoted, err := strconv.Unquote(words[1]); err == nil {
			return unquoted, nil
		}
		return words[1], nil
	}
	return "", fmt.Errorf("%w: go.mod has no module directive", errModule)
}
