// SPDX-License-Identifier: Apache-2.0

// Command msggen writes the Go packages of the interface definitions below
// the current directory, and removes generated files that no definition asks
// for any more. It is run by go generate.
//
// Usage: msggen [-lookup] import-path-of-the-current-directory
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
)

func main() {
	lookup := flag.Bool("lookup", false, "also write the file that finds types by name")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: msggen [-lookup] import-path")
		os.Exit(2)
	}
	if err := run(".", gen.Options{Module: flag.Arg(0), Lookup: *lookup}); err != nil {
		fmt.Fprintln(os.Stderr, "msggen:", err)
		os.Exit(1)
	}
}

// run generates below root.
func run(root string, opts gen.Options) error {
	files, err := gen.Generate(os.DirFS(root), opts)
	if err != nil {
		return err
	}
	if err := removeStale(root, files); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// removeStale removes generated files that are not among files.
func removeStale(root string, files map[string][]byte) error {
	return fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && !gen.IsPackage(path) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, gen.Suffix) || files[path] != nil {
			return err
		}
		return os.Remove(filepath.Join(root, path))
	})
}
