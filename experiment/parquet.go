// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package experiment

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
)

// writeParquet writes the table as a Parquet file of columns of numbers.
func (t table) writeParquet(path string) error { return report.Whole(path, t.parquet) }

func (t table) parquet(w io.Writer) error {
	group := parquet.Group{}
	for _, c := range t.columns {
		group[c] = parquet.Leaf(parquet.DoubleType)
	}
	schema := parquet.NewSchema("runs", group)
	place := make(map[string]int)
	for i, path := range schema.Columns() {
		place[path[0]] = i
	}
	out := parquet.NewGenericWriter[any](w, schema)
	for _, r := range t.rows {
		row := make(parquet.Row, len(r))
		for i, v := range r {
			at := place[t.columns[i]]
			row[at] = parquet.DoubleValue(v).Level(0, 0, at)
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return out.Close()
}
