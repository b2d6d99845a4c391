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

// agent speaks the QEMU guest agent's protocol: one JSON object per line each way, one command at a time. It is safe
// for concurrent use; commands wait for one another.
type agent struct {
	conn net.Conn
	gone <-chan struct{} // closed when the machine has ended

	mu    sync.Mutex
	in    *bufio.Reader
	id    int64 // of the latest greeting
	stale bool  // an answer may still come that is not waited for any more
}

func newAgent(conn net.Conn, gone <-chan struct{}) *agent {
	return &agent{conn: conn, gone: gone, in: bufio.NewReaderSize(conn, 1<<16)}
}

const (
	// answerTime bounds one answer of an agent that is up: it only guards against a machine that hangs.
	answerTime = 2 * time.Minute
	// greetingTime is how long one greeting is waited for before the next, while the machine boots.
	greetingTime = time.Second
	// delimiter makes the agent drop what it has of an unfinished line, and begins the answer to a greeting.
	delimiter = 0xFF
)

// reply is an answer of the agent.
type reply struct {
	Return json.RawMessage `json:"return"`
	Error  *struct {
		Class string `json:"class"`
		Desc  string `json:"desc"`
	} `json:"error"`
}

// greet waits until the agent answers, as it does when the machine has booted.
func (a *agent) greet(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sync(ctx)
}

// sync greets until an answer fits. The caller holds mu.
func (a *agent) sync(ctx context.Context) error {
	for {
		a.id++
		if err := a.send("guest-sync-delimited", map[string]int64{"id": a.id}, delimiter); err != nil {
			return err
		}
		ok, err := a.greeted()
		if ok || err != nil {
			a.stale = false
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: it does not answer: %w", errAgent, context.Cause(ctx))
		case <-a.gone:
			return errGone
		default:
		}
	}
}

// greeted looks for the answer to the latest greeting.
func (a *agent) greeted() (bool, error) {
	_ = a.conn.SetReadDeadline(time.Now().Add(greetingTime))
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

// call runs one command of the agent and decodes its answer into result, if that is not nil.
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
	limit := time.Now().Add(answerTime)
	if end, ok := ctx.Deadline(); ok && end.Before(limit) {
		limit = end
	}
	_ = a.conn.SetReadDeadline(limit)
	line, err := a.in.ReadBytes('\n')
	if err != nil {
		a.stale = true
		return fmt.Errorf("%w: %s: no answer: %w", errAgent, command, err)
	}
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("%w: %s: answer %q: %w", errAgent, command, line, err)
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
	_ = a.conn.SetWriteDeadline(time.Now().Add(answerTime))
	if _, err := a.conn.Write(append(append(before, line...), '\n')); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}
