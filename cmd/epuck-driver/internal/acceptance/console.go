// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// errInput is returned when the input has ended.
var errInput = errors.New("the input has ended")

// console asks a person at a terminal. It implements checks.Person.
type console struct {
	out   io.Writer
	lines chan string // closed at the end of the input
}

// newConsole returns a console. It reads the input to its end in a goroutine.
func newConsole(out io.Writer, in io.Reader) *console {
	c := &console{out: out, lines: make(chan string)}
	task.Go("acceptance input", func() {
		defer close(c.lines)
		s := bufio.NewScanner(in)
		for s.Scan() {
			c.lines <- strings.TrimSpace(s.Text())
		}
	})
	return c
}

// line returns the next line. The error is the context's cause or errInput.
func (c *console) line(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case l, open := <-c.lines:
		if !open {
			return "", errInput
		}
		return l, nil
	}
}

// Do implements checks.Person.
func (c *console) Do(ctx context.Context, r checks.Request) (checks.Answer, error) {
	fmt.Fprintf(c.out, "> %s\n  Enter when done, skip to leave this out:  ", r)
	l, err := c.line(ctx)
	if err != nil {
		return checks.Answer{}, err
	}
	return answer(l), nil
}

// Judge implements checks.Person.
func (c *console) Judge(ctx context.Context, r *checks.Result) (checks.Answer, error) {
	if len(r.Needs) == 0 && r.Verdict != checks.Failed {
		return checks.Answer{}, nil
	}
	fmt.Fprint(c.out, "  Enter to continue, repeat, or what was not as expected: ")
	l, err := c.line(ctx)
	if err != nil {
		return checks.Answer{}, err
	}
	return answer(l), nil
}

// answer parses a line: empty, skip, repeat, or a note, also as "not as expected: …".
func answer(line string) checks.Answer {
	switch strings.ToLower(line) {
	case "", "y", "yes", "ok":
		return checks.Answer{}
	case "skip", "s":
		return checks.Answer{Choice: checks.Skip}
	case "repeat", "r":
		return checks.Answer{Choice: checks.Repeat}
	}
	return checks.Answer{Note: strings.TrimSpace(strings.TrimPrefix(line, "not as expected:"))}
}
