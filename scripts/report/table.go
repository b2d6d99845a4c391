// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"text/tabwriter"
)

// released are the values of a release.
type released struct {
	Name   string             `json:"name"`
	Values map[string]float64 `json:"values"`
}

// readRelease returns the values of the last release; without a file there are none.
func readRelease(file string) (last released, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return released{Name: "no release"}, nil
	}
	if err != nil {
		return last, err
	}
	if err := json.Unmarshal(data, &last); err != nil {
		return last, fmt.Errorf("%s: %w", file, err)
	}
	return last, nil
}

func writeRelease(file, name string, rows []row) error {
	r := released{name, map[string]float64{}}
	for _, row := range rows {
		if !row.absent {
			r.Values[row.name] = row.value
		}
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o600)
}

// printTable prints each measure, its value and that of the last release. A measure of one of them only has a dash.
func printTable(out io.Writer, rows []row, last released) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "measure\tnow\t%s\n", last.Name)
	for _, r := range rows {
		now, before := "-", "-"
		if !r.absent {
			now = format(r.value)
		}
		if v, known := last.Values[r.name]; known {
			before = format(v)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.name, now, before)
	}
	_ = w.Flush()
}

// format returns a number with at most one decimal place.
func format(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}
