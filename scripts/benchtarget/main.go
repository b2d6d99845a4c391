// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command benchtarget estimates the program's load of the robot's processor without the robot: it runs the ARMv6
// program under QEMU with the cost model of package armcost, and compares the result with the budget of the robot's
// core at 1 GHz. `make bench-target` runs it; docs/explanation/cost.md explains the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	only := flag.String("run", "", "measure only the scenarios that match this pattern")
	file := flag.String("parameters", "", "parameters written by epuck-driver estimate calibrate")
	top := flag.Int("top", 0, "show the functions with the most instructions of each measurement")
	costs := flag.Bool("costs", false, "count the operations of the cost table and write the table")
	flag.Parse()
	if *costs {
		if err := costsWith(ctx, *only, *file); err != nil {
			fmt.Fprintln(os.Stderr, "benchtarget:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(ctx, *only, *file, *top); err != nil {
		fmt.Fprintln(os.Stderr, "benchtarget:", err)
		os.Exit(1)
	}
}

func costsWith(ctx context.Context, only, file string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	p, err := parameters(file)
	if err != nil {
		return err
	}
	return writeCosts(ctx, p, pattern)
}

// parameters returns those of a file, or the literature's.
func parameters(file string) (armcost.Parameters, error) {
	if file == "" {
		return armcost.Literature()
	}
	return armcost.ReadParameters(file)
}

// count measures a scenario, in simulated time or as a benchmark.
func (t tools) count(ctx context.Context, p armcost.Parameters, s scenario) (count, error) {
	if s.inTime {
		return t.inTime(ctx, p)
	}
	return t.measure(ctx, s)
}

// wantsRelease reports whether a scenario that matches needs the release's program.
func wantsRelease(pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(scenarios(), func(s scenario) bool { return s.inTime && pattern.MatchString(s.name) })
}

func run(ctx context.Context, only, file string, top int) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	p, err := parameters(file)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchtarget-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Fprintln(os.Stderr, "benchtarget: building")
	t, err := build(ctx, dir, pattern.MatchString(startName) || wantsRelease(pattern))
	if err != nil {
		return err
	}
	fmt.Printf("Parameters: %s.\n", p.Source)
	fmt.Print(tableHead)
	if err := t.rows(ctx, p, pattern, top); err != nil {
		return err
	}
	if !pattern.MatchString(startName) {
		return nil
	}
	text, err := t.start(ctx, p)
	if err != nil {
		return fmt.Errorf("%s: %w", startName, err)
	}
	fmt.Print(text)
	return nil
}

// rows prints a row for each scenario that matches.
func (t tools) rows(ctx context.Context, p armcost.Parameters, pattern *regexp.Regexp, top int) error {
	measured := map[string]count{} // in real time: only those are comparable
	for _, s := range scenarios() {
		if !pattern.MatchString(s.name) {
			continue
		}
		c, err := t.count(ctx, p, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if !s.inTime {
			measured[s.name] = c
		}
		fmt.Print(s.row(c, p))
		if top > 0 { // before the next measurement overwrites the profile
			if err := t.printTop(top, c, p); err != nil {
				return err
			}
		}
		if s.over != "" {
			base, ok := measured[s.over]
			if !ok {
				if base, err = t.measure(ctx, named(s.over)); err != nil {
					return fmt.Errorf("%s: %w", s.over, err)
				}
				measured[s.over] = base
			}
			fmt.Print(s.difference().row(c.minus(base), p))
		}
	}
	return nil
}
