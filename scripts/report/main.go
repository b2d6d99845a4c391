// SPDX-License-Identifier: Apache-2.0

// Command report prints measures of the project: sizes, tests by suite, the interface, imports, the vocabulary. It has
// no limits and fails only if it cannot read the tree: people read it, next to the values of the last release.
//
//	go run ./scripts/report                  the table
//	go run ./scripts/report -v upward        the table, and the places of each row with "upward" in its name
//	go run ./scripts/report -v deadcode      search, too, for functions that no program reaches (minutes)
//	go run ./scripts/report -release v0.9.0  write the values to scripts/report/release.json
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "folder of the project")
	verbose := flag.String("v", "", "list the places of the rows whose names contain `text`")
	release := flag.String("release", "", "write the values as those of the release of that `name`")
	flag.Parse()
	if err := run(os.Stdout, *root, *verbose, *release); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, root, verbose, release string) error {
	t, err := readTree(root)
	if err != nil {
		return err
	}
	if verbose == "deadcode" {
		if err := t.runDeadcode(os.Stderr); err != nil {
			fmt.Fprintln(out, "report:", err) // the other rows are worth reading all the same
		}
	}
	rows, err := t.rows()
	if err != nil {
		return err
	}
	file := filepath.Join(root, "scripts", "report", "release.json")
	if release != "" {
		if err := writeRelease(file, release, rows); err != nil {
			return err
		}
	}
	last, err := readRelease(file)
	if err != nil {
		return err
	}
	printTable(out, rows, last)
	if verbose != "" {
		printPlaces(out, rows, verbose)
	}
	return nil
}

// printPlaces lists the places of the rows whose names contain text.
func printPlaces(out io.Writer, rows []row, text string) {
	for _, r := range rows {
		if !strings.Contains(strings.ToLower(r.name), strings.ToLower(text)) {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", r.name)
		for _, place := range r.places {
			fmt.Fprintln(out, "  "+place)
		}
	}
}
