// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// errSource is returned for a file of sources that lacks something, or has it twice.
var errSource = errors.New("bad source")

// Source is a document whose results are reproduced.
type Source struct {
	Title   string   `yaml:"title"`
	Cited   string   `yaml:"cited"` // author, kind, place, year
	Note    string   `yaml:"note"`  // what to know before its figures
	Figures []Figure `yaml:"figures"`
}

// Figure is a figure, a table or a result in the text of a document.
type Figure struct {
	ID      string  `yaml:"id"`
	Name    string  `yaml:"name"`  // as the document numbers it
	Title   string  `yaml:"title"` // what it shows
	Place   string  `yaml:"place"` // chapter or page
	Differs string  `yaml:"differs"`
	Chart   *Chart  `yaml:"chart"`
	Rows    []Row   `yaml:"rows"`
	Series  []Lines `yaml:"series"` // of a chart of lines
}

// Chart says how the figure is drawn.
type Chart struct {
	Kind   string `yaml:"kind"` // bars, of the rows that have both numbers; or lines, of Series
	Unit   string `yaml:"unit"` // of the y axis
	Across string `yaml:"across"`
	Log    bool   `yaml:"log"` // the y axis is logarithmic
}

// Lines are points of one curve.
type Lines struct {
	Name   string       `yaml:"name"`
	Ours   bool         `yaml:"ours"`
	Points [][2]float64 `yaml:"points"`
}

// Row is a number of the document and ours.
type Row struct {
	ID       string   `yaml:"id"`
	What     string   `yaml:"what"`
	Unit     string   `yaml:"unit"`
	Original *float64 `yaml:"original"`
	Theirs   string   `yaml:"theirs"` // the original if it is not one number; or why it is not here
	Number   *float64 `yaml:"number"` // ours
	Ours     string   `yaml:"ours"`   // the same if it is not one number
	Date     string   `yaml:"date"`
	Machine  string   `yaml:"machine"`
	Command  string   `yaml:"command"` // what makes ours
	// Pattern finds our number, its only group, in the output of Command.
	Pattern string `yaml:"pattern"`
	// Quantity is a key of quantities, which compute our number here.
	Quantity string `yaml:"quantity"`
	// Interval is where our number has to be.
	Interval []float64 `yaml:"interval"`
	// Hardware is the step of `epuck-driver acceptance` that measures it on a robot.
	Hardware string `yaml:"hardware"`
}

// measurable reports whether this program can measure a row.
func (r Row) measurable() bool { return r.Pattern != "" || r.Quantity != "" }

//go:embed sources/*.yaml measured.yaml
var files embed.FS

// shipped returns the sources that are in this program.
func shipped() ([]Source, error) { return parse(files) }

// read returns the sources in a folder.
func read(dir string) ([]Source, error) { return parse(os.DirFS(dir)) }

func parse(dir fs.FS) ([]Source, error) {
	names, err := fs.Glob(dir, "sources/*.yaml")
	if err != nil {
		return nil, err
	}
	var results map[string]result
	if err := decode(dir, "measured.yaml", &results); err != nil {
		return nil, err
	}
	var all []Source
	ids := map[string]bool{}
	for _, name := range names {
		var s Source
		if err := decode(dir, name, &s); err != nil {
			return nil, err
		}
		for i := range s.Figures {
			if err := s.Figures[i].complete(results, ids); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

func decode(dir fs.FS, name string, into any) error {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// complete adds the results of measurements and checks that nothing is missing.
func (f *Figure) complete(results map[string]result, ids map[string]bool) error {
	if f.ID == "" || f.Name == "" || f.Title == "" || f.Place == "" || ids[f.ID] || len(f.Rows) == 0 {
		return fmt.Errorf("%w: figure %q lacks its name, title, place or rows, or is there twice", errSource, f.ID)
	}
	ids[f.ID] = true
	for i := range f.Rows {
		r := &f.Rows[i]
		if m, ok := results[r.ID]; ok && r.measurable() {
			r.Number, r.Date, r.Machine = &m.Number, m.Date, m.Machine
		}
		if err := r.check(); err != nil {
			return fmt.Errorf("%s: %w", f.ID, err)
		}
		if r.ID != "" && ids[r.ID] {
			return fmt.Errorf("%w: two rows %q", errSource, r.ID)
		}
		ids[r.ID] = r.ID != ""
	}
	return nil
}

// check reports what a row lacks.
func (r Row) check() error {
	hasOurs := r.Number != nil || r.Ours != ""
	switch {
	case r.What == "" || r.Original == nil && r.Theirs == "":
		return fmt.Errorf("%w: row %q says nothing of the original", errSource, r.What)
	case !hasOurs && r.Hardware == "" && !r.measurable():
		return fmt.Errorf("%w: row %q has neither our result nor a step of the acceptance test", errSource, r.What)
	case hasOurs && (r.Date == "" || r.Machine == "" || r.Command == ""):
		return fmt.Errorf("%w: row %q lacks date, machine or command", errSource, r.What)
	case r.measurable() && (r.ID == "" || len(r.Interval) != 2 || r.Interval[0] > r.Interval[1]):
		return fmt.Errorf("%w: row %q is measured and lacks its id or interval", errSource, r.What)
	case r.Quantity != "" && !slices.Contains(quantityNames(), r.Quantity):
		return fmt.Errorf("%w: row %q: no quantity %q", errSource, r.What, r.Quantity)
	}
	if r.Pattern == "" {
		return nil
	}
	p, err := regexp.Compile(r.Pattern)
	if err == nil && p.NumSubexp() != 1 {
		err = fmt.Errorf("%d groups, want 1", p.NumSubexp())
	}
	if err != nil {
		return fmt.Errorf("%w: row %q: pattern: %w", errSource, r.What, err)
	}
	return nil
}
