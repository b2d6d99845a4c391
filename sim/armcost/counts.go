// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// ErrCounts is returned for counts that are not as the plugin writes them, or end too early.
var ErrCounts = errors.New("armcost: counts missing or malformed")

// Counts are what was counted of a thread, or of several together.
type Counts struct {
	Events map[string]float64 // by the names in plugin/events.h
	Calls  map[int]float64    // system calls by ARM Linux' numbers
}

// Thread is one thread's counts between two marks.
type Thread struct {
	Process, Thread int // the process' number on this machine; the thread's in its order of birth
	Counts
}

// Mark is what all threads of a process counted up to one mark; Name is "exit" at the end of the process.
type Mark struct {
	Name    string
	Process int
	Threads []Thread
}

// ParseCounts reads what the plugin writes: see plugin/model.c.
func ParseCounts(data []byte) ([]Mark, error) {
	var all []Mark
	open := map[string][]Thread{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 3 {
			return nil, fmt.Errorf("%w: %.80q", ErrCounts, lines.Text())
		}
		process, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("%w: %.80q: %w", ErrCounts, lines.Text(), err)
		}
		key := f[1] + " " + f[2]
		switch {
		case f[0] == "mark" && len(f) > 3:
			t, err := parseThread(process, f[3:])
			if err != nil {
				return nil, err
			}
			open[key] = append(open[key], t)
		case f[0] == "end" && len(f) == 3:
			all = append(all, Mark{Name: f[1], Process: process, Threads: open[key]})
			delete(open, key)
		default:
			return nil, fmt.Errorf("%w: %.80q", ErrCounts, lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCounts, err)
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%w: %d marks without an end", ErrCounts, len(open))
	}
	return all, nil
}

func parseThread(process int, f []string) (Thread, error) {
	t := Thread{Process: process, Counts: Counts{Events: map[string]float64{}, Calls: map[int]float64{}}}
	var err error
	if t.Thread, err = strconv.Atoi(f[0]); err != nil {
		return t, fmt.Errorf("%w: thread %.20q: %w", ErrCounts, f[0], err)
	}
	for _, field := range f[1:] {
		name, number, ok := strings.Cut(field, "=")
		n, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil {
			return t, fmt.Errorf("%w: %.40q", ErrCounts, field)
		}
		call, isCall := strings.CutPrefix(name, "call.")
		if !isCall {
			t.Events[name] += float64(n)
			continue
		}
		number2, err := strconv.Atoi(call)
		if err != nil {
			return t, fmt.Errorf("%w: %.40q", ErrCounts, field)
		}
		t.Calls[number2] += float64(n)
	}
	return t, nil
}

// Sum adds the counts of threads up.
func Sum(threads []Thread) Counts {
	all := Counts{Events: map[string]float64{}, Calls: map[int]float64{}}
	for _, t := range threads {
		for name, n := range t.Events {
			all.Events[name] += n
		}
		for number, n := range t.Calls {
			all.Calls[number] += n
		}
	}
	return all
}

// Minus takes others off; what is less than nothing is nothing.
func (c Counts) Minus(base Counts) Counts {
	left := Counts{Events: maps.Clone(c.Events), Calls: maps.Clone(c.Calls)}
	for name, n := range base.Events {
		left.Events[name] = max(0, left.Events[name]-n)
	}
	for number, n := range base.Calls {
		left.Calls[number] = max(0, left.Calls[number]-n)
	}
	return left
}

// Per divides by a number of times.
func (c Counts) Per(times float64) Counts {
	one := Counts{Events: map[string]float64{}, Calls: map[int]float64{}}
	for name, n := range c.Events {
		one.Events[name] = n / times
	}
	for number, n := range c.Calls {
		one.Calls[number] = n / times
	}
	return one
}
