// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Reboot shuts the machine down, restarts it and returns when commands can run in it again.
func (m *Machine) Reboot(ctx context.Context) error {
	return m.restart(ctx, func() error { return m.start(ctx, "systemctl reboot") })
}

// Reset restarts the machine without a shutdown, as its reset button does, and returns when commands can run again.
func (m *Machine) Reset(ctx context.Context) error {
	return m.restart(ctx, func() error { return m.monitor(ctx, "system_reset", nil) })
}

// SetCable connects (true) or disconnects the machine's network cable.
func (m *Machine) SetCable(ctx context.Context, in bool) error {
	return m.monitor(ctx, "set_link", map[string]any{"name": "cable", "up": in})
}

func (m *Machine) restart(ctx context.Context, how func() error) error {
	before, err := m.bootID(ctx)
	if err != nil {
		return err
	}
	if err := how(); err != nil {
		return err
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := m.agent.waitReady(ctx); err != nil {
			return err
		}
		now, err := m.bootID(ctx)
		if err == nil && now != before {
			return nil
		}
		if errors.Is(err, errGone) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("vm: restart: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// bootID returns the identifier of this boot of the machine's kernel.
func (m *Machine) bootID(ctx context.Context) (string, error) {
	short, cancel := context.WithTimeout(ctx, 5*time.Second) // a machine that shuts down does not respond
	defer cancel()
	return m.Exec(short, "cat /proc/sys/kernel/random/boot_id")
}

// monitor executes one command of QEMU's monitor (QMP).
func (m *Machine) monitor(ctx context.Context, command string, arguments map[string]any) error {
	conn, err := m.dial(ctx, "monitor")
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(responseTimeout))
	lines := bufio.NewScanner(conn)
	if !lines.Scan() { // the server's greeting
		return fmt.Errorf("%w: no monitor: %w", errGone, lines.Err())
	}
	for _, c := range []map[string]any{{"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}} {
		if arguments == nil {
			delete(c, "arguments")
		}
		if err := json.NewEncoder(conn).Encode(c); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
		if err := awaitReply(lines); err != nil {
			return fmt.Errorf("%w: monitor: %s: %w", errGone, command, err)
		}
	}
	return nil
}

// awaitReply reads lines up to the response to a command; other lines are events.
func awaitReply(lines *bufio.Scanner) error {
	for lines.Scan() {
		var r struct {
			reply
			Event string `json:"event"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		switch {
		case r.Error != nil:
			return errors.New(r.Error.Desc)
		case r.Event == "":
			return nil
		}
	}
	return errors.Join(errors.New("no response"), lines.Err())
}
