// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

const (
	// endTime is how long the end of a driver may take, from the signal on; systemd kills it after five seconds.
	endTime = 3 * time.Second
	// ExitPanic is the status of a Go program that panics.
	ExitPanic = 2
)

// Detach makes a command that drives a robot independent of those who read what it writes, and bounds its end: what
// hangs then is left behind (TestHangingEndIsForced), and the wheels stand already. Tests, which have no exit, end by
// themselves.
func (p *Program) Detach(ctx context.Context) {
	p.Out, p.Err = tty.NewOutlet(p.Out), tty.NewOutlet(p.Err)
	if p.Exit == nil {
		return
	}
	task.AfterDone(ctx, "limit of the end", func() {
		task.AfterFunc(endTime, "overdue end", func() {
			p.say("epuck-driver: something hangs; ended without an orderly end, the wheels were stopped before\n")
			p.Exit(ExitFailed)
		})
	})
}

// say writes a last line, without waiting for a reader for long.
func (p *Program) say(text string) {
	_, _ = io.WriteString(p.Err, text)
	p.attach()
}

// attach waits, not for long, until what a detached command has written is read.
func (p *Program) attach() {
	for _, w := range []io.Writer{p.Out, p.Err} {
		if o, ok := w.(*tty.Outlet); ok {
			o.Close()
		}
	}
}

// ReportPanic is the program's last word after a panic, when the wheels have been stopped: the same as the runtime's,
// but a terminal that takes nothing does not keep the program from ending.
func ReportPanic(p *task.Panic) {
	o := tty.NewOutlet(os.Stderr)
	_, _ = io.WriteString(o, p.Error())
	o.Close()
	os.Exit(ExitPanic)
}
