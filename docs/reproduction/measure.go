// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// errOutside is returned for a result that left its interval, errOutput for a command without the result.
var (
	errOutside = errors.New("outside its interval")
	errOutput  = errors.New("no result in the output")
)

// result is what was measured of a row.
type result struct {
	row Row

	Number  float64 `yaml:"number"`
	Date    string  `yaml:"date"`
	Machine string  `yaml:"machine"`

	number float64 // as it was measured; Number is rounded
}

// measureAll measures all rows that can be measured here: a command that several rows share runs once.
func measureAll(ctx context.Context, root string, sources []Source, now time.Time) (all []result, err error) {
	outputs := map[string]string{}
	for _, s := range sources {
		for _, f := range s.Figures {
			for _, r := range f.Rows {
				if !r.measurable() {
					continue
				}
				n, err := r.measure(ctx, root, outputs)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", r.ID, err)
				}
				all = append(all, result{r, round(n), now.UTC().Format(time.DateOnly), fmt.Sprintf("%d cores, %s", runtime.NumCPU(), runtime.GOARCH), n})
			}
		}
	}
	return all, nil
}

// measure returns our number of a row; outputs has what commands have printed.
func (r Row) measure(ctx context.Context, root string, outputs map[string]string) (float64, error) {
	if r.Quantity != "" {
		return quantities[r.Quantity]()
	}
	out, ok := outputs[r.Command]
	if !ok {
		env, args := words(r.Command)
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
		text, err := cmd.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", r.Command, err, text)
		}
		out = string(text)
		outputs[r.Command] = out
	}
	return r.find(out)
}

// find returns the number that the row's pattern finds in the output of its command.
func (r Row) find(out string) (float64, error) {
	pattern, err := regexp.Compile(r.Pattern)
	if err != nil {
		return 0, err
	}
	match := pattern.FindStringSubmatch(out)
	if match == nil {
		return 0, fmt.Errorf("%w of %s: %s", errOutput, r.Command, r.Pattern)
	}
	if d, err := time.ParseDuration(match[1]); err == nil {
		return d.Seconds(), nil
	}
	return strconv.ParseFloat(match[1], 64)
}

// words splits a command like a shell that knows single quotes only, and variables before the program.
func words(command string) (env, args []string) {
	word, begun, quoted := "", false, false
	end := func() {
		if !begun {
			return
		}
		if len(args) == 0 && strings.Contains(word, "=") {
			env = append(env, word)
		} else {
			args = append(args, word)
		}
		word, begun = "", false
	}
	for _, c := range command {
		switch {
		case c == '\'':
			quoted, begun = !quoted, true
		case c == ' ' && !quoted:
			end()
		default:
			word, begun = word+string(c), true
		}
	}
	end()
	return env, args
}

// round keeps three digits, of what is greater than 100 all before the point.
func round(n float64) float64 {
	text := strconv.FormatFloat(n, 'g', 3, 64)
	if n >= 100 {
		text = strconv.FormatFloat(n, 'f', 0, 64)
	}
	r, _ := strconv.ParseFloat(text, 64) // it is a number
	return r
}

// outside returns an error that names each result that is not in its interval.
func outside(results []result) (err error) {
	for _, r := range results {
		if low, high := r.row.Interval[0], r.row.Interval[1]; !(low <= r.number && r.number <= high) {
			err = errors.Join(err, fmt.Errorf("%s: %g is %w, %g to %g: %s", r.row.ID, r.number, errOutside, low, high, r.row.Command))
		}
	}
	return err
}

// keep writes results to a file, ordered by their rows' ids.
func keep(path string, results []result) error {
	text := "# SPDX-License-Identifier: Apache-2.0\n# Results of the last `make reproduce`, by the rows' ids.\n"
	byID := map[string]result{}
	for _, r := range results {
		byID[r.row.ID] = r
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		entry, err := yaml.Marshal(map[string]result{id: byID[id]})
		if err != nil {
			return err
		}
		text += string(entry)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
