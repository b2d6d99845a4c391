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
	// endTime is the time limit for the end of a driver, after the signal, and for the end of a simulation without
	// progress; systemd kills a driver after five seconds.
	endTime = 3 * time.Second
	// endChecks is the number of progress checks in that time.
	endChecks = 12
	// ExitPanic is the status of a Go program that panics.
	ExitPanic = 2
)

// Detach makes a command that drives a robot independent of the readers of its output, and limits the duration of its
// end: when the limit is reached the program exits although the command has not returned (TestHangingEndIsForced);
// the wheels have been stopped by then. An end with much to close, on a busy machine, takes longer: the limit counts
// from the last change of progress, unless that is nil. Tests, whose Exit is nil, have no limit.
func (p *Program) Detach(ctx context.Context, progress func() uint64) {
	p.Out, p.Err = tty.NewOutlet(p.Out), tty.NewOutlet(p.Err)
	if p.Exit == nil {
		return
	}
	if progress == nil {
		progress = func() uint64 { return 0 }
	}
	task.AfterDone(ctx, "limit of the end", func() {
		l := endLimit{p: p, progress: progress, last: progress(), since: time.Now()}
		l.checkLater()
	})
}

// endLimit exits the program when its end makes no progress.
type endLimit struct {
	p        *Program
	progress func() uint64
	last     uint64    // progress at the last change …
	since    time.Time // … and the time of that change
}

// checkLater schedules the next check.
func (l *endLimit) checkLater() { task.AfterFunc(endTime/endChecks, "limit of the end", l.check) }

// check exits the program if the limit is reached, else schedules the next check.
func (l *endLimit) check() {
	now := time.Now()
	if n := l.progress(); n != l.last {
		l.last, l.since = n, now
	}
	if now.Sub(l.since) < endTime {
		l.checkLater()
		return
	}
	l.p.say("epuck-driver: the shutdown hangs; exiting without completing it: check that the wheels have stopped\n")
	l.p.Exit(ExitFailed)
}

// say writes a last line and waits for its reader for a limited time.
func (p *Program) say(text string) {
	_, _ = io.WriteString(p.Err, text)
	p.attach()
}

// attach waits, for a limited time, until the output of a detached command is read.
func (p *Program) attach() {
	for _, w := range []io.Writer{p.Out, p.Err} {
		if o, ok := w.(*tty.Outlet); ok {
			o.Close()
		}
	}
}

// ReportPanic prints a panic as the runtime does and exits, after the wheels have been stopped. A terminal that
// blocks does not keep the program from exiting.
func ReportPanic(p *task.Panic) {
	o := tty.NewOutlet(os.Stderr)
	_, _ = io.WriteString(o, p.Error())
	o.Close()
	os.Exit(ExitPanic)
}
