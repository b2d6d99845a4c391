// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// listener is a process of this machine that subscribes to every topic of the driver, or views the page.
type listener struct {
	cmd   *exec.Cmd
	in    io.Closer
	heard chan string // each topic once
}

func (t tools) listen(ctx context.Context) (*listener, error) {
	return t.startPeer(ctx, "EPUCK_TEST_LISTENER=1")
}

// startPeer starts a process of this machine whose role is given by a variable of its environment.
func (t tools) startPeer(ctx context.Context, role string) (*listener, error) {
	cmd := exec.CommandContext(ctx, t.here)
	cmd.Env = append(append(os.Environ(), network...), role)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	l := &listener{cmd, in, make(chan string, 64)}
	task.Go("listener", func() {
		defer close(l.heard)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			l.heard <- lines.Text()
		}
	})
	return l, nil
}

// await waits for a message of the topic.
func (l *listener) await(ctx context.Context, topic string) error {
	for {
		select {
		case name, ok := <-l.heard:
			if !ok {
				return fmt.Errorf("the listener ended before a message of %s", topic)
			}
			if name == topic {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *listener) close() {
	_ = l.in.Close()
	for range l.heard {
	}
	_ = l.cmd.Wait()
}
