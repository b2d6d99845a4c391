// SPDX-License-Identifier: Apache-2.0

// Command benchtarget measures what the program costs the robot's processor, without the robot: it runs it as ARM1176
// code under QEMU with a plugin of its own that counts instructions and system calls, and sets them against the budget
// of the robot's one core at 1 GHz. `make bench-target` runs it; CONTRIBUTING.md says how to read it.
//
// What is counted are the instructions of the program itself. How many cycles each takes and what the kernel adds are
// assumptions, which the output states (see assume.go).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	only := flag.String("run", "", "measure only what matches this pattern")
	top := flag.Int("top", 0, "show the functions with the most instructions of each measurement")
	flag.Parse()
	if err := run(ctx, *only, *top); err != nil {
		fmt.Fprintln(os.Stderr, "benchtarget:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, top int) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchtarget-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Fprintln(os.Stderr, "benchtarget: building")
	t, err := build(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Println(assumptions())
	fmt.Print(tableHead)
	for _, s := range scenarios() {
		if !pattern.MatchString(s.name) {
			continue
		}
		c, err := t.measure(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Print(s.row(c))
		if top > 0 {
			if err := t.printTop(top, c.times); err != nil {
				return err
			}
		}
	}
	if !pattern.MatchString(startName) {
		return nil
	}
	text, err := t.start(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", startName, err)
	}
	fmt.Print(text)
	return nil
}
