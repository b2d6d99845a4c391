// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
)

// row is one measure.
type row struct {
	name   string
	value  float64
	places []string
	absent bool // it has not been measured
}

// count returns a row whose value is the number of its places.
func count(name string, places []string) row {
	return row{name: name, value: float64(len(places)), places: places}
}

func number(name string, n int, places ...string) row {
	return row{name: name, value: float64(n), places: places}
}

// rows measures everything.
func (t *tree) rows() ([]row, error) {
	var packages []string
	for _, p := range t.packages {
		if p.Code {
			packages = append(packages, p.Folder)
		}
	}
	n := t.countAllLines()
	rows := []row{
		number("lines of code, hand-written", n.code),
		number("lines of tests", n.tests),
		number("lines of code, generated", n.generated),
		count("packages", packages),
		count("test packages", t.testPackages()),
	}
	rows = append(rows, t.testRows()...)
	rows = append(rows, t.codeRows()...)
	rows = append(rows, t.textRows()...)
	suites, err := t.suites()
	for _, s := range suites {
		rows = append(rows, row{name: "suite " + s.name + ": passed", value: s.passed}, row{name: "suite " + s.name + ": failed", value: s.failed},
			row{name: "suite " + s.name + ": seconds", value: s.seconds})
	}
	return rows, err
}

func (t *tree) testRows() (rows []row) {
	tests := t.tests()
	for _, kind := range kinds {
		rows = append(rows, count("tests: "+kind, tests[kind].functions), count("files of tests: "+kind, tests[kind].files))
	}
	return append(rows, count("fuzz targets", t.fuzzTargets()),
		count("gate: exceptions", t.gateExceptions()),
		count("gate: what may fail without a fault", t.gateFaults()))
}

func (t *tree) codeRows() (rows []row) {
	functions := t.functions()
	largest, types := t.largestTypes()
	most, folders := t.fullestFolders()
	exported, undocumented := t.undocumentedExports()
	dead, known := t.unreachableFunctions()
	rows = []row{
		count("exported names that nothing uses", t.unusedExports()),
		number("exported names", exported),
		count("exported names without comment", undocumented),
		{name: "exported names without comment, %", value: 100 * float64(len(undocumented)) / float64(max(1, exported)), places: undocumented},
		{name: "functions that no program reaches (-v deadcode)", value: float64(len(dead)), places: dead, absent: !known},
		number("largest type, fields + methods", largest, types...),
		number("lines of a function, p50", percentile(functions, 0.5)),
		number("lines of a function, p99", percentile(functions, 0.99)),
		number("lines of a function, max", percentile(functions, 1), longest(functions)...),
		count("files above 400 lines", t.longFiles()),
		number("files in the fullest folder", most, folders...),
		count("flags of the programs", t.flags()),
	}
	for _, top := range upwardTrees {
		packages, files := t.upwardImports(top)
		rows = append(rows, count("upward imports inside "+top+", packages", packages), count("upward imports inside "+top+", files", files))
	}
	return rows
}

func (t *tree) textRows() (rows []row) {
	words := t.wordsOutside()
	var all []string
	for _, top := range slices.Sorted(maps.Keys(words)) {
		all = append(all, words[top]...)
	}
	rows = []row{
		count("packages without example", t.withoutExample()),
		count("packages without one package comment", t.withoutPackageComment()),
		count("comments about work left", t.leftForLater()),
		count("lines beyond 120 columns in comments and documents", t.longLines()),
		count("vocabulary: expressions outside", all),
	}
	for _, top := range slices.Sorted(maps.Keys(words)) {
		rows = append(rows, count("vocabulary: expressions outside, "+top, words[top]))
	}
	return rows
}
