// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// peer is a running peer program and its reported events.
type peer struct {
	t      testing.TB
	name   string
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	events *mailbox[event]
	output *lockedBuffer // its complete output
	exited chan struct{} // closed when all output has been read and the process waited for
	err    error         // of the exit, valid after exited
}

// start runs a peer of the stack in a domain. The lease is what the peer
// announces, in seconds; 0 is its implementation's default.
func (s *stack) start(t testing.TB, domain uint32, lease float64) *peer {
	t.Helper()
	needNamespace(t)
	p := launch(t, s.name, exec.Command(s.path(t), fmt.Sprint(domain), fmt.Sprint(lease)))
	p.done("open", "")
	return p
}

// launch starts a program whose standard output is events. It is killed at the
// end of the test if it still runs.
func launch(t testing.TB, name string, cmd *exec.Cmd) *peer {
	t.Helper()
	p := &peer{t: t, name: name, cmd: cmd, events: newMailbox[event](), output: &lockedBuffer{}, exited: make(chan struct{})}
	cmd.Stderr = p.output
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", name, err)
	}
	go p.read(stdout)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.exited
		if t.Failed() {
			t.Logf("%s said:\n%s", name, p.output.tail(60))
		}
	})
	return p
}

func (p *peer) read(stdout io.Reader) {
	defer close(p.exited)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintf(p.output, "%.300s\n", lines.Text())
		if e, err := parseEvent(lines.Text()); err == nil { // else it is a log line of the DDS implementation
			p.events.put(e)
		}
	}
	p.err = p.cmd.Wait()
	p.events.close()
}

// await removes and returns the first event that matches, waiting for it if needed.
func (p *peer) await(what string, fits func(event) bool) event {
	p.t.Helper()
	return p.events.await(p.t, p.name+": "+what, fits)
}

// send sends the peer a command and waits until it has been executed.
func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	line := fmt.Sprintf(format, args...)
	if _, err := fmt.Fprintln(p.stdin, line); err != nil {
		p.t.Fatalf("%s: %q: %v", p.name, line, err)
	}
	words := append(strings.Fields(line), "")
	p.done(words[0], words[1])
}

func (p *peer) done(command, id string) {
	p.t.Helper()
	e := p.await(fmt.Sprintf("answer to %s %s", command, id), func(e event) bool {
		return e.Event == "error" || e.Event == "done" && e.Command == command && e.ID == id
	})
	if e.Event == "error" {
		p.t.Fatalf("%s: %s %s: %s: %s", p.name, command, id, e.What, e.Detail)
	}
}

// sample waits for the next sample of an endpoint.
func (p *peer) sample(id string) event {
	p.t.Helper()
	return p.await("sample of "+id, func(e event) bool { return e.Event == "sample" && e.ID == id })
}

// matched waits until an endpoint has the given number of matched counterparts.
func (p *peer) matched(id string, count int) {
	p.t.Helper()
	p.await(fmt.Sprintf("match of %s with %d", id, count), func(e event) bool {
		return e.Event == "matched" && e.ID == id && e.Current == count
	})
}

// incompatible waits until an endpoint has discovered one with incompatible QoS, and returns the DDS policy id.
func (p *peer) incompatible(id string) int {
	p.t.Helper()
	return p.await("incompatible QoS at "+id, func(e event) bool { return e.Event == "incompatible" && e.ID == id }).Policy
}

// stats requests the counters of an endpoint.
func (p *peer) stats(id string) event {
	p.t.Helper()
	p.send("stats %s", id)
	return p.await("stats of "+id, func(e event) bool { return e.Event == "stats" && e.ID == id })
}

// quit ends the peer orderly and checks its exit status.
func (p *peer) quit() {
	p.t.Helper()
	_ = p.stdin.Close()
	p.wait()
	if p.err != nil {
		p.t.Errorf("%s: %v", p.name, p.err)
	}
}

// kill kills the peer, which cannot dispose its participant.
func (p *peer) kill() {
	p.t.Helper()
	_ = p.cmd.Process.Kill()
	p.wait()
}

func (p *peer) wait() {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(timeout):
		p.t.Fatalf("%s does not end", p.name)
	}
}

// lockedBuffer is a buffer that one goroutine fills while another reads.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(data)
}

// tail returns the last n lines.
func (l *lockedBuffer) tail(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.SplitAfter(l.b.String(), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "")
}
