// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"context"
	"fmt"
	"time"
)

// execPoll is the polling period of a running command.
const execPoll = 100 * time.Millisecond

// execStatus is the agent's response to guest-exec-status.
type execStatus struct {
	Exited   bool   `json:"exited"`
	ExitCode int    `json:"exitcode"`
	Signal   int    `json:"signal"`
	Out      []byte `json:"out-data"`
	Err      []byte `json:"err-data"`
}

// Exec runs a shell script as root in the machine and returns its standard output followed by its standard error. A
// status other than 0 is an [*ExitError]. When ctx ends the script continues to run.
func (m *Machine) Exec(ctx context.Context, script string) (string, error) {
	var started struct {
		PID int `json:"pid"`
	}
	err := m.agent.call(ctx, "guest-exec", map[string]any{
		"path": "/bin/sh", "arg": []string{"-c", script}, "capture-output": true,
		"env": []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"},
	}, &started)
	if err != nil {
		return "", err
	}
	tick := time.NewTicker(execPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("vm: %q: %w", script, context.Cause(ctx))
		case <-m.ended:
			return "", fmt.Errorf("%w during %q", errGone, script)
		case <-tick.C:
		}
		var s execStatus
		if err := m.agent.call(ctx, "guest-exec-status", map[string]int{"pid": started.PID}, &s); err != nil {
			return "", err
		}
		if s.Exited {
			return s.result(script)
		}
	}
}

func (s *execStatus) result(script string) (string, error) {
	out := string(s.Out) + string(s.Err)
	status := s.ExitCode
	if s.Signal != 0 {
		status = 128 + s.Signal
	}
	if status != 0 {
		return out, &ExitError{Command: script, Status: status, Output: out}
	}
	return out, nil
}

// start runs a shell script in the background of the machine: its end and its output are not reported.
func (m *Machine) start(ctx context.Context, script string) error {
	return m.agent.call(ctx, "guest-exec", map[string]any{"path": "/bin/sh", "arg": []string{"-c", script}}, nil)
}
