// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

const (
	// endTime is how long the end of a driver may take, from the signal on; systemd kills it after five seconds.
	endTime = 3 * time.Second
	// exitPanic is the status of a Go program that panics.
	exitPanic = 2
)

// detach makes a command that drives a robot independent of those who read what it writes, and bounds its end: whatever
// hangs then, the wheels stand already. Tests, which have no exit, end by themselves.
func (p *program) detach(ctx context.Context) {
	p.out, p.err = newOutlet(p.out), newOutlet(p.err)
	if p.exit == nil {
		return
	}
	task.AfterDone(ctx, "limit of the end", func() {
		task.AfterFunc(endTime, "overdue end", func() {
			p.say("epuck-driver: something hangs; ended without an orderly end, the wheels were stopped before\n")
			p.exit(exitFailed)
		})
	})
}

// say writes a last line, without waiting for a reader for long.
func (p *program) say(text string) {
	_, _ = io.WriteString(p.err, text)
	p.attach()
}

// attach waits, not for long, until what a detached command has written is read.
func (p *program) attach() {
	for _, w := range []io.Writer{p.out, p.err} {
		if o, ok := w.(*outlet); ok {
			o.Close()
		}
	}
}

// reportPanic is the program's last word after a panic, when the wheels have been stopped: the same as the runtime's,
// but a terminal that takes nothing does not keep the program from ending.
func reportPanic(p *task.Panic) {
	o := newOutlet(os.Stderr)
	_, _ = io.WriteString(o, p.Error())
	o.Close()
	os.Exit(exitPanic)
}
