// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

// brokenWriter fails as a file on a full disk or a pipe without a reader does.
type brokenWriter struct{ err error }

func (b brokenWriter) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: b.err}
}

// writers is a group of commands that write in the ways in which commands do.
func writers() []Group {
	command := func(name string, run func(p *Program) error) Maker {
		return func(p *Program) *cobra.Command {
			return &cobra.Command{Use: name, Short: "Write", Args: NoArguments, RunE: func(*cobra.Command, []string) error { return run(p) }}
		}
	}
	return []Group{{ID: "x", Title: "X:", Commands: []Maker{
		command("ignores", func(p *Program) error { fmt.Fprintln(p.Out, "text"); return nil }),
		command("checks", func(p *Program) error { _, err := fmt.Fprintln(p.Out, "text"); return err }),
		command("detached", func(p *Program) error { p.Detach(context.Background(), nil); fmt.Fprintln(p.Out, "text"); return nil }),
		command("logs", func(p *Program) error { fmt.Fprintln(p.Err, "text"); return nil }),
		command("fails", func(p *Program) error { fmt.Fprintln(p.Out, "text"); return io.ErrUnexpectedEOF }),
		NewCompletionCommand, NewManCommand, NewVersionCommand,
	}}}
}

// TestOutputThatCannotBeWrittenIsAnError: by every way to write, help and the words of a completion among them.
func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, c := range []struct {
		line             string
		full, gone, logs int // statuses with a full disk and without a reader of standard output, and with standard error on a full disk
	}{
		{"ignores", ExitFailed, ExitBrokenPipe, ExitOK},
		{"checks", ExitFailed, ExitBrokenPipe, ExitOK},
		{"detached", ExitFailed, ExitBrokenPipe, ExitOK},
		{"logs", ExitOK, ExitOK, ExitFailed},
		{"fails", ExitFailed, ExitBrokenPipe, ExitFailed},
		{"--help", ExitFailed, ExitBrokenPipe, ExitOK},
		{"help logs", ExitFailed, ExitBrokenPipe, ExitOK},
		{"logs -h", ExitFailed, ExitBrokenPipe, ExitOK},
		{"version", ExitFailed, ExitBrokenPipe, ExitOK},
		{"version --json", ExitFailed, ExitBrokenPipe, ExitOK},
		{"man", ExitFailed, ExitBrokenPipe, ExitOK},
		{"completion bash", ExitFailed, ExitBrokenPipe, ExitOK},
		{"__complete ver", ExitFailed, ExitBrokenPipe, ExitOK},
		{"nonsense", ExitUsage, ExitUsage, ExitUsage},
	} {
		for _, broken := range []struct {
			out, err error
			want     int
		}{{nil, nil, -1}, {syscall.ENOSPC, nil, c.full}, {syscall.EPIPE, nil, c.gone}, {nil, syscall.ENOSPC, c.logs}, {nil, syscall.EPIPE, -1}} {
			var text, problem bytes.Buffer
			s := Streams{Out: &text, Err: &problem}
			if broken.out != nil {
				s.Out = brokenWriter{broken.out}
			}
			if broken.err != nil {
				s.Err = brokenWriter{broken.err}
			}
			status := Dispatch(t.Context(), s, strings.Fields(c.line), writers())
			if broken.want >= 0 && status != broken.want {
				t.Errorf("%s with %v and %v: status %d, want %d", c.line, broken.out, broken.err, status, broken.want)
			}
			if broken.out == syscall.ENOSPC && status == ExitFailed && c.line != "fails" && strings.Count(problem.String(), "no space left") != 1 {
				t.Errorf("%s: it said %q", c.line, problem.String())
			}
			if broken.out == syscall.EPIPE && strings.Contains(problem.String(), "pipe") {
				t.Errorf("%s: it said %q of a reader that has enough", c.line, problem.String())
			}
		}
	}
}
