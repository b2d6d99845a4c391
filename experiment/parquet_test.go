// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package experiment_test

import (
	"os"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// parquetRows compares a Parquet file with a table.
func parquetRows(t *testing.T, path string, head []string, rows [][]float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if p.NumRows() != int64(len(rows)) {
		t.Fatalf("%d rows", p.NumRows())
	}
	place := make(map[string]int)
	for i, c := range p.Schema().Columns() {
		place[c[0]] = i
	}
	got := make([]parquet.Row, len(rows))
	r := parquet.NewReader(f)
	defer func() { _ = r.Close() }()
	if n, err := r.ReadRows(got); n != len(rows) {
		t.Fatalf("%d rows, %v", n, err)
	}
	for i, row := range got {
		for k, name := range head {
			if v := row[place[name]].Double(); v != rows[i][k] {
				t.Errorf("row %d, %s: %g, want %g", i, name, v, rows[i][k])
			}
		}
	}
}
