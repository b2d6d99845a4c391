// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

func TestReadMarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "marks")
	read := func(text string) ([]count, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readMarks(file)
	}
	got, err := read("mark 200 5 0 instructions=400 call.263=2\nmark 200 5 1 instructions=100\nend 200 5\nmark exit 5 0 instructions=9\nend exit 5\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []count{
		{200, armcost.Counts{Events: map[string]float64{"instructions": 500}, Calls: map[int]float64{263: 2}}},
		{0, armcost.Counts{Events: map[string]float64{"instructions": 9}, Calls: map[int]float64{}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(count{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := read("end soon 5\n"); !errors.Is(err, errMarks) {
		t.Errorf("%v, want %v", err, errMarks)
	}
	if _, err := read("end\n"); !errors.Is(err, armcost.ErrCounts) {
		t.Errorf("%v, want %v", err, armcost.ErrCounts)
	}
	if _, err := readMarks(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
}

func TestResult(t *testing.T) {
	of := func(times, instructions float64) count {
		return count{times, armcost.Counts{Events: map[string]float64{"instructions": instructions}, Calls: map[int]float64{263: instructions / 10}}}
	}
	for _, c := range []struct {
		name     string
		counts   []count
		baseline bool
		want     float64 // instructions of one iteration
		err      error
	}{
		{"the last run with all its times", []count{of(1, 7), of(100, 500), of(100, 900), of(0, 1000)}, false, 9, nil},
		{"the median of the differences", []count{of(1, 7), of(1, 9), of(100, 500), of(100, 900), of(100, 500), of(100, 600), of(100, 100), of(100, 3000)}, true, 4, nil},
		{"less than nothing is nothing", []count{of(100, 500), of(100, 400)}, true, 0, nil},
		{"no marks", []count{of(0, 1000)}, false, 0, errMarks},
		{"half a pair", []count{of(100, 500), of(100, 600), of(100, 500)}, true, 0, errMarks},
	} {
		got, err := result(c.counts, scenario{times: 100, baseline: c.baseline})
		if !errors.Is(err, c.err) || err == nil && got.per().Events["instructions"] != c.want {
			t.Errorf("%s: %v instructions, %v; want %v, %v", c.name, got.per().Events["instructions"], err, c.want, c.err)
		}
		if err == nil && got.per().Calls[263] != c.want/10 {
			t.Errorf("%s: %v calls", c.name, got.per().Calls)
		}
	}
}

func TestRowSetsAgainstTheBudget(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	of := func(times, cycles float64, calls map[int]float64) count {
		return count{times, armcost.Counts{Events: map[string]float64{"instructions": cycles, "cycles": cycles}, Calls: calls}}
	}
	for _, c := range []struct {
		name  string
		s     scenario
		c     count
		words []string
	}{
		{"kept", scenario{name: "cycle", rate: 20, budget: 0.01}, of(200, 200*200e3, map[int]float64{armcost.SysClock: 2000}),
			[]string{"| cycle | 200.0 k |", "10.0 (clock 10)", "208 µs (199 µs … 235 µs)", "| 0.4 % (0.4 … 0.5) |", "| pipeline |", "1 %: kept |"}},
		{"kept if", scenario{name: "cycle", rate: 20, budget: 0.01}, of(1, 470e3, nil), []string{"0.9 % (0.9 … 1.0)", "1 %: kept with"}},
		{"missed by the kernel", scenario{name: "cycle", rate: 20, budget: 0.01}, of(1, 400e3, map[int]float64{armcost.SysClock: 500}),
			[]string{"800 µs", "1.6 %", "| kernel_clock | 1 %: missed"}},
		{"no rate", scenario{name: "picture"}, of(2, 116e6, nil), []string{"58.00 M", "0.0 |", "58.0 ms", "| – | – | pipeline | – |"}},
	} {
		row := c.s.row(c.c, p)
		for _, w := range c.words {
			if !strings.Contains(row, w) {
				t.Errorf("%s: no %q in %s", c.name, w, row)
			}
		}
	}
}

// TestScenariosCoverTheDriversMessages: every type of message that is published periodically is measured.
func TestScenariosCoverTheDriversMessages(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenarios() {
		if seen[s.name] || !s.inTime && (s.times <= 0 || !strings.HasPrefix(s.benchmark, "BenchmarkTarget")) {
			t.Errorf("%+v", s)
		}
		seen[s.name] = true
	}
	for _, topic := range table.Topics() {
		short := strings.ReplaceAll(strings.ReplaceAll(topic.Type, "/msg/", "."), "_msgs", "")
		rare := topic.When == table.Once || topic.When == table.OnChange
		if topic.Direction == table.Published && !rare && !seen["one message "+short+" to one remote reader"] {
			t.Errorf("%s is not measured", short)
		}
	}
}
