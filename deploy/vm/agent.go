// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// agent is a client of the QEMU guest agent's protocol: one JSON object per line in each direction, one command at a
// time. It is safe for concurrent use; commands wait for one another.
type agent struct {
	conn  net.Conn
	ended <-chan struct{} // closed when the machine has ended

	mu    sync.Mutex
	in    *bufio.Reader
	id    int64 // of the latest synchronization
	stale bool  // a response of a timed-out command may still arrive
}

func newAgent(conn net.Conn, ended <-chan struct{}) *agent {
	return &agent{conn: conn, ended: ended, in: bufio.NewReaderSize(conn, 1<<16)}
}

const (
	// responseTimeout is the time-out of a response of a running agent; it only detects a machine that hangs.
	responseTimeout = 2 * time.Minute
	// syncTimeout is the time-out of one synchronization before the next attempt, while the machine boots.
	syncTimeout = time.Second
	// delimiter makes the agent discard an incomplete line, and precedes the response to a synchronization.
	delimiter = 0xFF
)

// reply is a response of the agent.
type reply struct {
	Return json.RawMessage `json:"return"`
	Error  *struct {
		Class string `json:"class"`
		Desc  string `json:"desc"`
	} `json:"error"`
}

// waitReady waits until the agent responds, when the machine has booted.
func (a *agent) waitReady(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sync(ctx)
}

// sync synchronizes with the agent (guest-sync-delimited) until a response has the sent identifier. The caller holds
// mu.
func (a *agent) sync(ctx context.Context) error {
	for {
		a.id++
		if err := a.send("guest-sync-delimited", map[string]int64{"id": a.id}, delimiter); err != nil {
			return err
		}
		ok, err := a.synced()
		if ok || err != nil {
			a.stale = false
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: it does not respond: %w", errAgent, context.Cause(ctx))
		case <-a.ended:
			return errGone
		default:
		}
	}
}

// synced reads lines up to the response to the latest synchronization; false after syncTimeout.
func (a *agent) synced() (bool, error) {
	_ = a.conn.SetReadDeadline(time.Now().Add(syncTimeout))
	for {
		line, err := a.in.ReadBytes('\n')
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("%w: %w", errGone, err)
		}
		for len(line) > 0 && line[0] == delimiter {
			line = line[1:]
		}
		var r struct {
			Return int64 `json:"return"`
		}
		if json.Unmarshal(line, &r) == nil && r.Return == a.id {
			return true, nil
		}
	}
}

// call executes one command of the agent and decodes its response into result, if that is not nil.
func (a *agent) call(ctx context.Context, command string, arguments, result any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stale {
		if err := a.sync(ctx); err != nil {
			return err
		}
	}
	if err := a.send(command, arguments); err != nil {
		return err
	}
	limit := time.Now().Add(responseTimeout)
	if end, ok := ctx.Deadline(); ok && end.Before(limit) {
		limit = end
	}
	_ = a.conn.SetReadDeadline(limit)
	line, err := a.in.ReadBytes('\n')
	if err != nil {
		a.stale = true
		return fmt.Errorf("%w: %s: no response: %w", errAgent, command, err)
	}
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("%w: %s: response %q: %w", errAgent, command, line, err)
	}
	if r.Error != nil {
		return fmt.Errorf("%w: %s: %s: %s", errAgent, command, r.Error.Class, r.Error.Desc)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(r.Return, result)
}

// send writes one command.
func (a *agent) send(command string, arguments any, before ...byte) error {
	line, err := json.Marshal(map[string]any{"execute": command, "arguments": arguments})
	if err != nil {
		return err
	}
	_ = a.conn.SetWriteDeadline(time.Now().Add(responseTimeout))
	if _, err := a.conn.Write(append(append(before, line...), '\n')); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}
