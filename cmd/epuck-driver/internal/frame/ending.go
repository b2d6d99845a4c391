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
	// endTime is how long the end of a driver may take, from the signal on, and that of a simulation without progress;
	// systemd kills a driver after five seconds.
	endTime = 3 * time.Second
	// endChecks is how often progress is checked in that time.
	endChecks = 12
	// ExitPanic is the status of a Go program that panics.
	ExitPanic = 2
)

// Detach makes a command that drives a robot independent of those who read what it writes, and limits the duration of
// its end: the program is then ended although the command has not returned (TestHangingEndIsForced), and the wheels
// have been stopped by then. An end with much to close, on a busy machine, takes longer than that: the limit is counted
// from the last change of progress, unless that is nil. Tests, which have no exit, end by themselves.
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

// endLimit ends the program when its end makes no progress.
type endLimit struct {
	p        *Program
	progress func() uint64
	last     uint64    // progress at the last change …
	since    time.Time // … and when that was seen
}

// checkLater checks the progress after a while.
func (l *endLimit) checkLater() { task.AfterFunc(endTime/endChecks, "limit of the end", l.check) }

// check ends the program, or checks again later.
func (l *endLimit) check() {
	now := time.Now()
	if n := l.progress(); n != l.last {
		l.last, l.since = n, now
	}
	if now.Sub(l.since) < endTime {
		l.checkLater()
		return
	}
	l.p.say("epuck-driver: something hangs; ended without an orderly end: see whether the wheels have stopped\n")
	l.p.Exit(ExitFailed)
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
