// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
)

// Collect writes runs.csv, runs.parquet (not on ARMv6, to keep the program small), summary.csv and summary.html of the
// results in a folder. It returns the number of results, and the runs without one.
func (e *Experiment) Collect(folder string) (have int, missing []int, err error) {
	var results []*result
	for i := range e.Runs() {
		r, err := e.read(folder, i)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errResult):
			missing = append(missing, i)
		case err != nil:
			return 0, nil, err
		default:
			results = append(results, r)
		}
	}
	t := e.table(results)
	s := e.summarise(results, t.figures)
	err = errors.Join(
		report.Whole(filepath.Join(folder, "runs.csv"), t.csv),
		t.writeParquet(filepath.Join(folder, "runs.parquet")),
		report.Whole(filepath.Join(folder, "summary.csv"), s.csv),
		report.Whole(filepath.Join(folder, "summary.html"), s.page(e).Write),
	)
	return len(results), missing, err
}

// table has a row for each result.
type table struct {
	figures []string // their names
	columns []string
	rows    [][]float64
}

func (e *Experiment) table(results []*result) table {
	all := make(map[string]bool)
	for _, r := range results {
		for k := range r.Figures {
			all[k] = true
		}
	}
	t := table{figures: slices.Sorted(keys(all)), columns: []string{"run", "seed"}}
	for _, a := range e.Parameters {
		t.columns = append(t.columns, a.Name)
	}
	t.columns = append(append(t.columns, "time", "wall", "stopped"), t.figures...)
	for _, r := range results {
		row := append([]float64{float64(r.Run), float64(r.Seed)}, r.Values...)
		stopped := 0.0
		if r.Stopped {
			stopped = 1
		}
		row = append(row, r.Time, r.Wall, stopped)
		for _, k := range t.figures {
			v, ok := r.Figures[k]
			if !ok {
				v = math.NaN()
			}
			row = append(row, v)
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// text formats a number so that parsing returns the same number; integers without an exponent.
func text(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) <= maxSeed {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func texts(row []float64) (out []string) {
	for _, v := range row {
		out = append(out, text(v))
	}
	return out
}

func (t table) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{t.columns}
	for _, r := range t.rows {
		rows = append(rows, texts(r))
	}
	return out.WriteAll(rows)
}

// summary is the means over the seeds for each combination of parameters.
type summary struct {
	parameters, figures []string
	groups              []group
}

// group is the runs of one combination.
type group struct {
	values     []float64
	runs       int
	mean, half []float64 // of each figure: mean, and half of its 95 % confidence interval
}

func (e *Experiment) summarise(results []*result, names []string) summary {
	s := summary{figures: names}
	for _, a := range e.Parameters {
		s.parameters = append(s.parameters, a.Name)
	}
	byValues := make(map[string][]*result)
	for _, r := range results {
		key := fmt.Sprint(r.Values)
		if byValues[key] == nil {
			s.groups = append(s.groups, group{values: r.Values})
		}
		byValues[key] = append(byValues[key], r)
	}
	for i := range s.groups {
		g := &s.groups[i]
		runs := byValues[fmt.Sprint(g.values)]
		g.runs = len(runs)
		for _, k := range names {
			var list []float64
			for _, r := range runs {
				if v, ok := r.Figures[k]; ok && !math.IsNaN(v) {
					list = append(list, v)
				}
			}
			m, h := interval(list)
			g.mean, g.half = append(g.mean, m), append(g.half, h)
		}
	}
	return s
}

// interval returns the mean of a sample and half of its 95 % confidence interval by Student's distribution; NaN where
// there is none.
func interval(list []float64) (mean, half float64) {
	n := float64(len(list))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for _, v := range list {
		mean += v / n
	}
	if n < 2 {
		return mean, math.NaN()
	}
	sum := 0.0
	for _, v := range list {
		sum += (v - mean) * (v - mean)
	}
	return mean, student(len(list)-1) * math.Sqrt(sum/(n-1)/n)
}

// student returns the 97.5 % quantile of Student's distribution.
func student(freedom int) float64 {
	table := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
		2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	z, v := 1.959964, float64(freedom) // Cornish and Fisher's expansion
	return z + (z*z*z+z)/(4*v) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*v*v)
}

func (s summary) head() []string {
	h := append(slices.Clone(s.parameters), "runs")
	for _, f := range s.figures {
		h = append(h, f, f+"_ci95")
	}
	return h
}

func (s summary) rows(format func(float64) string) (rows [][]string) {
	for _, g := range s.groups {
		var row []string
		for _, v := range g.values {
			row = append(row, format(v))
		}
		row = append(row, strconv.Itoa(g.runs))
		for i := range s.figures {
			row = append(row, format(g.mean[i]), format(g.half[i]))
		}
		rows = append(rows, row)
	}
	return rows
}

func (s summary) csv(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{s.head()}, s.rows(text)...))
}

// page plots each figure over the first parameter, a line for each combination of the others.
func (s summary) page(e *Experiment) *report.Page {
	p := &report.Page{Title: e.Name, Head: s.head(), Rows: s.rows(func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) })}
	if len(s.parameters) == 0 {
		return p
	}
	for i, f := range s.figures {
		plot := report.Plot{Title: f + ": mean and 95 % confidence interval", X: s.parameters[0], Y: f}
		place := make(map[string]int)
		for _, g := range s.groups {
			name := fmt.Sprint(g.values[1:])
			k, known := place[name]
			if !known {
				k = len(plot.Lines)
				place[name] = k
				plot.Lines = append(plot.Lines, report.Line{Name: name})
			}
			l := &plot.Lines[k]
			l.X, l.Y = append(l.X, g.values[0]), append(l.Y, g.mean[i])
			l.Low, l.High = append(l.Low, g.mean[i]-g.half[i]), append(l.High, g.mean[i]+g.half[i])
		}
		p.Add(plot)
	}
	return p
}
