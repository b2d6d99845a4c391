// SPDX-License-Identifier: Apache-2.0

// Command docgen writes the parts of the documents that repeat the code: tables of topics, parameters and packages,
// and the default parameter file in deploy. Its test fails when they are stale.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run .

func main() {
	if err := write(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

// write brings the generated texts below root up to date.
func write(root string) error {
	for _, doc := range documents() {
		path := filepath.Join(root, doc.path)
		old, err := os.ReadFile(path)
		if err != nil && !(doc.whole && os.IsNotExist(err)) {
			return err
		}
		text, err := doc.render(string(old))
		if err != nil {
			return fmt.Errorf("%s: %w", doc.path, err)
		}
		if text == string(old) {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
