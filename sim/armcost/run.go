// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// errNoEnd is returned for a program that was asked to end and did not, nor said what it had counted.
var errNoEnd = errors.New("armcost: the program did not end, and its counts did not come")

const (
	stopTimeout = 10 * time.Second      // for the program's end after SIGTERM
	pause       = 10 * time.Millisecond // between looks at a file
)

// Program is an ARMv6 Linux program to run and count.
type Program struct {
	Args     []string // the file and its arguments
	Model    Model    // of the processor; the zero value is the ARM1176's
	For      time.Duration
	In       io.Reader
	Out, Err io.Writer
}

// Counted is what a program did: the counts of each process, and how long it ran here.
type Counted struct {
	Processes []Mark
	Wall      time.Duration
	Status    int // the program's exit status; −1: a signal ended it
}

// Run runs a program to its end, or for a time and then ends it with SIGTERM. Its files are in dir.
func (p Program) Run(ctx context.Context, dir string) (Counted, error) {
	plugin, err := buildPlugin(ctx, dir, p.Model)
	if err != nil {
		return Counted{}, err
	}
	e := Emulator{Plugin: plugin, Counts: filepath.Join(dir, "counts"), Ask: filepath.Join(dir, "ask")}
	if err := makeFIFO(e.Ask); err != nil {
		return Counted{}, fmt.Errorf("%s: %w", e.Ask, err)
	}
	limit := ctx
	if p.For > 0 {
		var cancel context.CancelFunc
		limit, cancel = context.WithTimeout(ctx, p.For)
		defer cancel()
	}
	cmd := e.Command(limit, p.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.In, p.Out, p.Err
	cmd.WaitDelay = stopTimeout
	var asked error
	cmd.Cancel = func() error {
		asked = e.ask()
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	begun := time.Now()
	err = cmd.Run()
	c := Counted{Wall: time.Since(begun), Status: cmd.ProcessState.ExitCode()}
	if exit := (*exec.ExitError)(nil); err != nil && limit.Err() == nil && !errors.As(err, &exit) {
		return c, err
	}
	data, err := os.ReadFile(e.Counts)
	if err != nil {
		return c, fmt.Errorf("%w: %w", errNoEnd, err)
	}
	marks, err := ParseCounts(data)
	if err != nil {
		return c, err
	}
	if c.Processes = lastOf(marks); len(c.Processes) == 0 {
		return c, errors.Join(errNoEnd, asked)
	}
	return c, nil
}

// complete are counts that were asked for.
var complete = regexp.MustCompile(`(?m)^end now \d+\n`)

// ask has the counts written and waits for them. The emulator may be about to begin, or at its end.
func (e Emulator) ask() error {
	asked := false
	look := time.NewTicker(pause)
	defer look.Stop()
	for begun := time.Now(); time.Since(begun) < stopTimeout; <-look.C {
		if !asked {
			f, err := os.OpenFile(e.Ask, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				continue // the reader is not there yet
			}
			_ = f.Close()
			asked = true
		}
		if data, err := os.ReadFile(e.Counts); err == nil && complete.Match(data) {
			return nil
		}
	}
	return errNoEnd
}

// lastOf keeps the last counts of each process, in the order of their ends.
func lastOf(marks []Mark) []Mark {
	var last []Mark
	for i, m := range marks {
		later := false
		for _, other := range marks[i+1:] {
			later = later || other.Process == m.Process
		}
		if !later {
			last = append(last, m)
		}
	}
	return last
}
