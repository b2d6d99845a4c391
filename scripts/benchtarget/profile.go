// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bufio"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

func (t tools) profile() string { return filepath.Join(t.dir, "profile") }

// symbol is a function of the program under test.
type symbol struct {
	address uint64
	name    string
}

// spent is the count of one function: its instructions, and its cache misses of code and data.
type spent struct {
	name                      string
	instructions, fetch, load float64
}

// cycles estimates a function's cycles: one for each instruction, plus the misses.
func (s spent) cycles(p armcost.Parameters) float64 {
	return s.instructions + s.fetch*p.Parameters["fetch_miss"].Likely + s.load*p.Parameters["load_miss"].Likely
}

// printTop prints the cycles of the last measurement by parameter and by function.
func (t tools) printTop(n int, c count, p armcost.Parameters) error {
	symbols, err := functions(t.robot)
	if err != nil {
		return err
	}
	f, err := os.Open(t.profile())
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	list, err := attribute(f, symbols)
	if err != nil {
		return err
	}
	for _, part := range p.Of(c.per().Counts).Parts {
		fmt.Printf("    %10.0f cycles  %8.1f times %s\n", part.Cycles.Likely, part.Times, part.Parameter)
	}
	slices.SortFunc(list, func(a, b spent) int {
		return cmp.Or(cmp.Compare(b.cycles(p), a.cycles(p)), strings.Compare(a.name, b.name))
	})
	fmt.Println("    approximate cycles: instructions, misses of code, of data")
	for _, s := range list[:min(n, len(list))] {
		of := max(1, c.times)
		fmt.Printf("    %10.0f: %8.0f %6.1f %6.1f  %s\n", s.cycles(p)/of, s.instructions/of, s.fetch/of, s.load/of, s.name)
	}
	return nil
}

// functions lists the functions of an ELF file by address.
func functions(path string) ([]symbol, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	var list []symbol
	for _, s := range all {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && !strings.HasPrefix(s.Name, "$") {
			list = append(list, symbol{s.Value &^ 1, s.Name})
		}
	}
	slices.SortFunc(list, func(a, b symbol) int { return cmp.Compare(a.address, b.address) })
	return list, nil
}

// attribute adds up the executed blocks, "ADDRESS INSTRUCTIONS TIMES FETCH_MISSES LOAD_MISSES" a line, by function.
func attribute(r io.Reader, symbols []symbol) ([]spent, error) {
	by := map[string]spent{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		address, n, err := parseBlock(lines.Text())
		if err != nil {
			return nil, err
		}
		i := sort.Search(len(symbols), func(i int) bool { return symbols[i].address > address })
		name := "?"
		if i > 0 {
			name = symbols[i-1].name
		}
		s := by[name]
		by[name] = spent{name, s.instructions + n[0]*n[1], s.fetch + n[2], s.load + n[3]}
	}
	return slices.Collect(maps.Values(by)), lines.Err()
}

// parseBlock reads a line of a profile.
func parseBlock(line string) (address uint64, n [4]float64, err error) {
	f := strings.Fields(line)
	if len(f) != 1+len(n) {
		return 0, n, fmt.Errorf("%w: profile: %q", errMarks, line)
	}
	if address, err = strconv.ParseUint(f[0], 16, 64); err != nil {
		return 0, n, fmt.Errorf("%w: profile: %q: %w", errMarks, line, err)
	}
	for i := range n {
		if n[i], err = strconv.ParseFloat(f[1+i], 64); err != nil {
			return 0, n, fmt.Errorf("%w: profile: %q: %w", errMarks, line, err)
		}
	}
	return address, n, nil
}
