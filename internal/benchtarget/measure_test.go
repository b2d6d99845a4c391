// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/driver"
)

func TestReadMarks(t *testing.T) {
	got, err := readMarks(strings.NewReader("mark 1 500 2 263:2\nmark 200 40000 430 4:30 263:400\nmark exit 41000 431 511:1\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []count{
		{1, 500, map[int]float64{263: 2}},
		{200, 40000, map[int]float64{4: 30, 263: 400}},
		{0, 41000, map[int]float64{511: 1}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(count{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, bad := range []string{"mark 1", "note 1 2 3", "mark one 2 3", "mark 1 two 3", "mark 1 2 3 4", "mark 1 2 3 4:x", "mark 1 2 3 y:5"} {
		if _, err := readMarks(strings.NewReader(bad + "\n")); !errors.Is(err, errMarks) {
			t.Errorf("%q: %v, want %v", bad, err, errMarks)
		}
	}
}

func TestResult(t *testing.T) {
	of := func(times, instructions float64) count {
		return count{times, instructions, map[int]float64{263: instructions / 10}}
	}
	for _, c := range []struct {
		name     string
		counts   []count
		baseline bool
		want     float64 // instructions of one time
		err      error
	}{
		{"the last run with all its times", []count{of(1, 7), of(100, 500), of(100, 900), of(0, 1000)}, false, 9, nil},
		{"the median of the differences", []count{of(1, 7), of(1, 9), of(100, 500), of(100, 900), of(100, 500), of(100, 600), of(100, 100), of(100, 3000)}, true, 4, nil},
		{"less than nothing is nothing", []count{of(100, 500), of(100, 400)}, true, 0, nil},
		{"no marks", []count{of(0, 1000)}, false, 0, errMarks},
		{"half a pair", []count{of(100, 500), of(100, 600), of(100, 500)}, true, 0, errMarks},
	} {
		got, err := result(c.counts, scenario{times: 100, baseline: c.baseline})
		if !errors.Is(err, c.err) || err == nil && got.per().instructions != c.want {
			t.Errorf("%s: %v instructions, %v; want %v, %v", c.name, got.per().instructions, err, c.want, c.err)
		}
		if err == nil && got.per().calls[263] != c.want/10 {
			t.Errorf("%s: %v calls", c.name, got.per().calls)
		}
	}
}

func TestRowSetsAgainstTheBudget(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     scenario
		c     count
		words []string
	}{
		{"kept", scenario{name: "cycle", rate: 20, budget: 0.01}, count{200, 200 * 100e3, map[int]float64{sysClock: 2000}},
			[]string{"| cycle | 100.0 k |", "10.0 (clock 10)", "208 µs", "| 0.4 % (0.3 … 0.5) | 0.4 % |", "1 %: kept |"}},
		{"missed with the kernel", scenario{name: "cycle", rate: 20, budget: 0.01}, count{1, 200e3, map[int]float64{sysClock: 500}},
			[]string{"800 µs", "0.8 % (0.6 … 1.0)", "1.6 %", "1 %: kept by the program, missed with the kernel"}},
		{"missed", scenario{name: "cycle", rate: 20, budget: 0.01}, count{1, 3e6, map[int]float64{sysFutex64: 1}},
			[]string{"3.00 M", "6.0 ms", "12.0 % (9.0 … 15.0)", "1 %: missed"}},
		{"no rate", scenario{name: "picture"}, count{2, 58e6, nil}, []string{"29.00 M", "0.0 |", "58.0 ms", "| – | – | – |"}},
	} {
		row := c.s.row(c.c)
		for _, w := range c.words {
			if !strings.Contains(row, w) {
				t.Errorf("%s: no %q in %s", c.name, w, row)
			}
		}
	}
}

func TestKernelCyclesByKind(t *testing.T) {
	got := kernelCycles(map[int]float64{sysClock: 2, sysNanosleep: 1, sysSendmm: 1, sysRecv: 1, 4: 1})
	if want := 2.0*clockCall + waitingCall + 2*sendingCall + plainCall; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestScenariosCoverTheDriversMessages: every type of message that comes again and again is measured.
func TestScenariosCoverTheDriversMessages(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenarios() {
		if seen[s.name] || s.times <= 0 || !strings.HasPrefix(s.benchmark, "BenchmarkTarget") {
			t.Errorf("%+v", s)
		}
		seen[s.name] = true
	}
	for _, topic := range driver.Topics() {
		short := strings.ReplaceAll(strings.ReplaceAll(topic.Type, "/msg/", "."), "_msgs", "")
		rare := topic.When == driver.Once || topic.When == driver.OnChange
		if topic.Direction == driver.Published && !rare && !seen["one message "+short+" to one remote reader"] {
			t.Errorf("%s is not measured", short)
		}
	}
}
