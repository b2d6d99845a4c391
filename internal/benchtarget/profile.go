// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

func (t tools) profile() string { return filepath.Join(t.dir, "profile") }

// symbol is a function of the program under test.
type symbol struct {
	address uint64
	name    string
}

// spent is what one function executed.
type spent struct {
	name         string
	instructions float64
}

// printTop shows where the instructions of the last measurement went.
func (t tools) printTop(n int, times float64) error {
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
	for _, s := range list[:min(n, len(list))] {
		fmt.Printf("    %10.0f  %s\n", s.instructions/max(1, times), s.name)
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

// attribute adds the blocks that ran, "ADDRESS INSTRUCTIONS TIMES" a line, to the functions they lie in.
func attribute(r io.Reader, symbols []symbol) ([]spent, error) {
	by := map[string]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			return nil, fmt.Errorf("profile: %q", lines.Text())
		}
		address, err := strconv.ParseUint(f[0], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("profile: %q: %w", lines.Text(), err)
		}
		instructions, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			return nil, fmt.Errorf("profile: %q: %w", lines.Text(), err)
		}
		times, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			return nil, fmt.Errorf("profile: %q: %w", lines.Text(), err)
		}
		i := sort.Search(len(symbols), func(i int) bool { return symbols[i].address > address })
		name := "?"
		if i > 0 {
			name = symbols[i-1].name
		}
		by[name] += instructions * times
	}
	list := make([]spent, 0, len(by))
	for name, n := range by {
		list = append(list, spent{name, n})
	}
	slices.SortFunc(list, func(a, b spent) int {
		return cmp.Or(cmp.Compare(b.instructions, a.instructions), strings.Compare(a.name, b.name))
	})
	return list, lines.Err()
}
