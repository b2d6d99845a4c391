// SPDX-License-Identifier: Apache-2.0

// Command reproduction writes docs/explanation/reproduction.md and its figures: the results of the five documents that
// this project follows, next to those of this project. The files in sources have the figures of the documents, and what
// makes ours; measured.yaml has the results of the last measurement.
//
//	go run ./docs/reproduction            write the page and the figures
//	go run ./docs/reproduction -measure   measure, keep the results in measured.yaml, and write
//	go run ./docs/reproduction -check     measure, and fail if a result is outside its interval
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// Where the page and its figures are, from the root of the project.
const (
	page     = "docs/explanation/reproduction.md"
	figures  = "docs/images/reproduction"
	measured = "docs/reproduction/measured.yaml"
)

func main() {
	check := flag.Bool("check", false, "measure, and fail if a result is outside its interval")
	measure := flag.Bool("measure", false, "measure, and keep the results")
	root := flag.String("root", ".", "`FOLDER` of the project")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *root, *check, *measure)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "reproduction:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, check, measure bool) error {
	sources, err := shipped()
	if err != nil {
		return err
	}
	if check || measure {
		results, err := measureAll(ctx, root, sources, time.Now())
		if err != nil {
			return err
		}
		for _, r := range results {
			fmt.Printf("%-28s %.6g %s\n", r.row.ID, r.number, r.row.Unit)
		}
		if check {
			return outside(results)
		}
		if err := keep(filepath.Join(root, measured), results); err != nil {
			return err
		}
		if sources, err = read(filepath.Join(root, filepath.Dir(measured))); err != nil {
			return err
		}
	}
	for path, text := range documents(sources) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
