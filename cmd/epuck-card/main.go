// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command epuck-card applies the settings in epuck.txt on a robot's SD card. It runs at every start before the
// driver, from the unit epuck-card.service of the card's image.
//
//	epuck-card apply [-boot DIR] [-root DIR] [-dark]
//	epuck-card check FILE      # on any computer: the mistakes in a file
//	epuck-card robots -n 20 -from epuck.txt -to DIR   # a file for each robot of a class
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/deploy/card"
	"github.com/epuck-ros2/epuck-driver/deploy/card/lights"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// errMistakes is what "check" ends with when it found some: they are printed already.
var errMistakes = errors.New("there are mistakes")

// run is the program. It gives its exit status: 2 for a wrong command line, 1 for everything else that fails.
func run(ctx context.Context, args []string, out, complain io.Writer) int {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{"apply": apply, "check": check, "robots": robots}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprintln(complain, "usage: epuck-card apply | check FILE | robots -n NUMBER -from FILE -to FOLDER")
		return 2
	}
	err := commands[args[0]](ctx, args[1:], out, complain)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(complain, "epuck-card:", err)
		return 1
	}
	return 0
}

// maxText bounds the files of settings that are read, in bytes: Parse says what the longest may be.
const maxText = 1 << 20

// showTime is how long the LEDs show a mistake, while the driver waits.
const showTime = 10 * time.Second

// apply applies the card's epuck.txt. Mistakes in it are no failure of this program: the driver starts all the same.
func apply(ctx context.Context, args []string, out, complain io.Writer) error {
	flags := flag.NewFlagSet("apply", flag.ContinueOnError)
	flags.SetOutput(complain)
	boot := flags.String("boot", "/boot/firmware", "the boot partition")
	root := flags.String("root", "/", "the system")
	dark := flags.Bool("dark", false, "leave the robot's LEDs alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m := card.Machine{Root: *root, Boot: *boot, Run: runProgram, Writable: func(f func() error) error { return writable(*boot, f) }}
	if b, err := os.ReadFile(filepath.Join(*root, "run/epuck-card/damaged")); err == nil {
		m.Damaged = "the data partition can't be used, what is changed is lost at the next start: " + strings.TrimSpace(string(b))
	}
	report, err := m.Apply(ctx)
	fmt.Fprintf(out, "applied: %t\n", report.Applied)
	for _, mistake := range report.Mistakes {
		fmt.Fprintln(out, mistake)
	}
	if first := card.First(report.Mistakes); first != card.CauseNone && !*dark {
		if err := lights.Show(ctx, first.Colour(), showTime); err != nil {
			fmt.Fprintln(out, "the LEDs can't show it:", err)
		}
	}
	return err
}

// check prints the mistakes of a file.
func check(_ context.Context, args []string, out, _ io.Writer) error {
	if len(args) != 1 {
		return errors.New("check wants a file")
	}
	data, err := regular.Read(args[0], maxText)
	if err != nil {
		return err
	}
	_, mistakes := card.Parse(data)
	for _, m := range mistakes {
		fmt.Fprintln(out, m)
	}
	if len(mistakes) > 0 {
		return errMistakes
	}
	return nil
}

// robots writes a numbered epuck.txt for each robot into a folder of its own.
func robots(_ context.Context, args []string, out, complain io.Writer) error {
	flags := flag.NewFlagSet("robots", flag.ContinueOnError)
	flags.SetOutput(complain)
	n := flags.Int("n", 0, "how many robots")
	from := flags.String("from", "epuck.txt", "what all of them have in common")
	to := flags.String("to", "robots", "the folder to write to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *n < 1 || *n > 999 {
		return fmt.Errorf("%d robots: 1 to 999 there can be", *n)
	}
	template, err := regular.Read(*from, maxText)
	if err != nil {
		return err
	}
	for i := 1; i <= *n; i++ {
		text, err := card.Numbered(template, i, *n)
		if err != nil {
			return err
		}
		settings, mistakes := card.Parse(text)
		if len(mistakes) > 0 {
			return fmt.Errorf("%s: %v", *from, mistakes[0])
		}
		dir := filepath.Join(*to, settings.Name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "epuck.txt"), text, 0o644); err != nil {
			return err
		}
		fmt.Fprintln(out, filepath.Join(dir, "epuck.txt"))
	}
	return nil
}

// runProgram runs a program of the system.
func runProgram(ctx context.Context, input, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin = strings.NewReader(input)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(string(text)))
	}
	return nil
}

// writable makes a partition that is mounted read-only writable while f runs. A folder that is none is left as it is.
func writable(dir string, f func() error) error {
	const quiet = syscall.MS_NOATIME | syscall.MS_REMOUNT
	if err := syscall.Mount("", dir, "", quiet, ""); errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EPERM) {
		return f()
	} else if err != nil {
		return fmt.Errorf("making %s writable: %w", dir, err)
	}
	err := f()
	syscall.Sync()
	return errors.Join(err, syscall.Mount("", dir, "", quiet|syscall.MS_RDONLY, ""))
}
