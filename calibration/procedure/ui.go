// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// errNoAnswer is matched if the input ends before a question is answered.
var errNoAnswer = errors.New("calibrate: no answer")

// UI is the interface to the user who calibrates.
type UI interface {
	// Say prints a line.
	Say(format string, args ...any)
	// Progress shows the progress of a procedure; the next call replaces it.
	Progress(format string, args ...any)
	// Ask prompts for a line and returns it. It fails when the context ends, or when the input ends before an answer.
	Ask(ctx context.Context, question string) (string, error)
}

// Console is a UI on a terminal or a pair of streams. Control characters in the texts are escaped. Create one with
// [NewConsole].
type Console struct {
	out     io.Writer
	inPlace bool // progress overwrites its line

	in    io.Reader
	once  sync.Once
	lines chan string

	mu   sync.Mutex
	open bool // a progress line is shown
}

// NewConsole returns a console. From the first question on, a goroutine reads in to its end; in is the program's
// standard input. With inPlace, for terminals, progress overwrites its line; else it is not shown.
func NewConsole(out io.Writer, in io.Reader, inPlace bool) *Console {
	return &Console{out: out, in: in, inPlace: inPlace, lines: make(chan string)}
}

// Say writes a line.
func (c *Console) Say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
	printable.Fprintf(c.out, format+"\n", args...)
}

func (c *Console) end() {
	if c.open {
		fmt.Fprintln(c.out)
		c.open = false
	}
}

// Progress writes a line that the next one overwrites.
func (c *Console) Progress(format string, args ...any) {
	if !c.inPlace {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	text := []rune(printable.Line(fmt.Sprintf(format, args...)))
	fmt.Fprintf(c.out, "\r%-78s", string(text[:min(len(text), 78)]))
	c.open = true
}

// Ask writes a question and waits for a line.
func (c *Console) Ask(ctx context.Context, question string) (string, error) {
	c.mu.Lock()
	c.end()
	printable.Fprintf(c.out, "%s ", question)
	c.mu.Unlock()
	c.once.Do(func() {
		task.Go("console input", func() {
			s := bufio.NewScanner(c.in)
			for s.Scan() {
				c.lines <- s.Text()
			}
			close(c.lines)
		})
	})
	select {
	case line, ok := <-c.lines:
		if !ok {
			return "", fmt.Errorf("%w to %q: the input has ended", errNoAnswer, question)
		}
		return strings.TrimSpace(line), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
