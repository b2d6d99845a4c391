// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

const root = "../.."

// TestPageIsOfItsSources: the page and its figures are those that the sources give, and no figure is left over.
func TestPageIsOfItsSources(t *testing.T) {
	sources, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	all := documents(sources)
	for path, want := range all {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(got), want); diff != "" {
			t.Errorf("%s is stale: go run ./docs/reproduction (-is +should be)\n%s", path, diff)
		}
	}
	drawn, err := filepath.Glob(filepath.Join(root, figures, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(drawn) != len(all)-1 {
		t.Errorf("%d figures in %s, the sources have %d", len(drawn), figures, len(all)-1)
	}
}

// TestRowsStayInTheirIntervals measures the rows again: those that are computed, and with the tag long those of
// commands.
func TestRowsStayInTheirIntervals(t *testing.T) {
	sources, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		for i := range s.Figures {
			s.Figures[i].Rows = slices.DeleteFunc(s.Figures[i].Rows, func(r Row) bool { return !suite.Long && r.Quantity == "" })
		}
	}
	results, err := measureAll(t.Context(), root, sources, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(results) < 12 {
		t.Errorf("only %d rows were measured", len(results))
	}
	if err := outside(results); err != nil {
		t.Error(err)
	}
}

// TestResultsOfTheLastMeasurement: the page shows a result for each row that can be measured, within its interval.
func TestResultsOfTheLastMeasurement(t *testing.T) {
	sources, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		for _, f := range s.Figures {
			for _, r := range f.Rows {
				if r.measurable() && (r.Number == nil || *r.Number < r.Interval[0] || *r.Number > r.Interval[1]) {
					t.Errorf("%s: %v, want %v", r.ID, r.Number, r.Interval)
				}
			}
		}
	}
}

const goodRow = "{id: a, what: w, unit: s, original: 1, quantity: mass, interval: [1, 2], number: 1, date: d, machine: m, command: c}"

// parsed reads one source with a figure of one row.
func parsed(row string) ([]Source, error) {
	return parse(fstest.MapFS{
		"measured.yaml": {Data: []byte("{}")},
		"sources/a.yaml": {Data: []byte("title: t\ncited: c\nfigures:\n  - {id: f, name: n, title: t, place: p, differs: d, chart: {kind: bars, unit: s}, rows: [" +
			row + "]}\n")},
	})
}

func TestIncompleteSourcesAreRefused(t *testing.T) {
	if _, err := parsed(goodRow); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new string }{
		{"no original", "original: 1, ", ""}, {"no command", ", command: c", ""}, {"no date", "date: d, ", ""}, {"no interval", "interval: [1, 2], ", ""},
		{"interval of one", "[1, 2]", "[1]"}, {"turned interval", "[1, 2]", "[2, 1]"}, {"unknown quantity", "quantity: mass", "quantity: x"},
		{"no id", "id: a, ", ""}, {"two groups", "quantity: mass", "pattern: (a)(b)"}, {"bad pattern", "quantity: mass", "pattern: (a"},
		{"neither ours nor a step", "quantity: mass, interval: [1, 2], number: 1, date: d, machine: m, command: c", ""}, {"two of one id", goodRow, goodRow + ", " + goodRow},
	} {
		if _, err := parsed(strings.Replace(goodRow, c.old, c.new, 1)); !errors.Is(err, errSource) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := parsed(strings.Replace(goodRow, "unit", "units", 1)); err == nil {
		t.Error("an unknown field is accepted")
	}
}

// TestRowOutsideItsIntervalIsNamed: a check fails with the row's id, its result and the command.
func TestRowOutsideItsIntervalIsNamed(t *testing.T) {
	row := Row{ID: "iou", Command: "go test", Interval: []float64{0.2, 0.3}}
	if err := outside([]result{{row: row, number: 0.25}, {row: row, number: 0.3}}); err != nil {
		t.Error(err)
	}
	for _, n := range []float64{0.19, 0.31} {
		if err := outside([]result{{row: row, number: n}}); !errors.Is(err, errOutside) || !strings.Contains(err.Error(), "iou") {
			t.Errorf("%g: %v", n, err)
		}
	}
}

// TestMeasureRunsAProgramOnce: rows of one command share its output; a program that fails is an error with its output.
func TestMeasureRunsAProgramOnce(t *testing.T) {
	dir, outputs := t.TempDir(), map[string]string{}
	row := Row{Command: "N=7 sh -c 'echo x >>runs; echo found $N'", Pattern: "found ([0-9]+)"}
	for range 2 {
		if n, err := row.measure(t.Context(), dir, outputs); err != nil || n != 7 {
			t.Fatal(n, err)
		}
	}
	if runs, err := os.ReadFile(filepath.Join(dir, "runs")); err != nil || string(runs) != "x\n" {
		t.Errorf("%q, %v", runs, err)
	}
	row.Command = "sh -c 'echo broken; exit 3'"
	if _, err := row.measure(t.Context(), dir, outputs); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
}

// TestKeptResultsAreRead: what keep writes is what parse adds to the rows.
func TestKeptResultsAreRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "measured.yaml")
	if err := keep(path, []result{{row: Row{ID: "a"}, Number: 0.12, Date: "2026-11-27", Machine: "amd64"}}); err != nil {
		t.Fatal(err)
	}
	var results map[string]result
	if err := decode(os.DirFS(dir), "measured.yaml", &results); err != nil {
		t.Fatal(err)
	}
	figure := Figure{ID: "f", Name: "n", Title: "t", Place: "p", Rows: []Row{{ID: "a", What: "w", Theirs: "x", Quantity: "mass", Interval: []float64{0, 1}, Command: "c"}}}
	if err := figure.complete(results, map[string]bool{}); err != nil {
		t.Fatal(err)
	}
	if r := figure.Rows[0]; *r.Number != 0.12 || r.Date != "2026-11-27" || r.Machine != "amd64" {
		t.Errorf("%+v", r)
	}
}

// TestDrawings: every figure is XML, and has a bar or a point for each number.
func TestDrawings(t *testing.T) {
	sources, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	all := documents(sources)
	delete(all, page)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		d := xml.NewDecoder(strings.NewReader(all[path]))
		for err = nil; err == nil; _, err = d.Token() {
		}
		if !errors.Is(err, io.EOF) || strings.Contains(all[path], "NaN") || strings.Contains(all[path], "Inf") {
			t.Errorf("%s: %v\n%s", path, err, all[path])
		}
		if marks := strings.Count(all[path], `height="13.0"`) + strings.Count(all[path], "<circle"); marks < 4 {
			t.Errorf("%s: %d marks", path, marks)
		}
	}
}
