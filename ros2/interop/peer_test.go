// SPDX-License-Identifier: Apache-2.0

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

// patience bounds every wait for an event. It is many times what the slowest
// event takes, so that it ends a test only when the event never comes.
const patience = 60 * time.Second

// peer is a running peer program. Its events are kept until a test asks for
// them: await takes the first that fits and leaves the others, so the order in
// which a test looks at independent events does not matter.
type peer struct {
	t      testing.TB
	name   string
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *lockedBuffer
	exited chan struct{} // closed when all output has been read and the process waited for
	err    error         // of the exit, valid after exited

	mu      sync.Mutex
	events  []event
	history []string
	arrived chan struct{} // closed and replaced when an event arrives
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
	p := &peer{t: t, name: name, cmd: cmd, stderr: &lockedBuffer{}, exited: make(chan struct{}), arrived: make(chan struct{})}
	cmd.Stderr = p.stderr
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
			t.Logf("%s said:\n%s", name, p.transcript())
		}
	})
	return p
}

func (p *peer) read(stdout io.Reader) {
	defer close(p.exited)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		e, err := parseEvent(lines.Text())
		if err != nil {
			e = event{Event: "garbage", line: lines.Text()}
		}
		p.mu.Lock()
		p.events = append(p.events, e)
		p.history = append(p.history, e.line)
		close(p.arrived)
		p.arrived = make(chan struct{})
		p.mu.Unlock()
	}
	p.err = p.cmd.Wait()
}

// take removes and returns the first event that fits, or the channel that closes with the next event.
func (p *peer) take(fits func(event) bool) (event, bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, e := range p.events {
		if fits(e) {
			p.events = append(p.events[:i:i], p.events[i+1:]...)
			return e, true, nil
		}
	}
	return event{}, false, p.arrived
}

// await returns the first event not yet taken that fits, waiting for it if need be.
func (p *peer) await(what string, fits func(event) bool) event {
	p.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		e, ok, more := p.take(fits)
		if ok {
			return e
		}
		select {
		case <-more:
		case <-p.exited:
			if e, ok, _ := p.take(fits); ok {
				return e
			}
			p.t.Fatalf("%s ended (%v) before %s", p.name, p.err, what)
		case <-late.C:
			p.t.Fatalf("%s: no %s", p.name, what)
		}
	}
}

// send gives the peer a command and waits until it has been carried out.
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

// incompatible waits until an endpoint has met one whose QoS does not fit, and gives the DDS policy id.
func (p *peer) incompatible(id string) int {
	p.t.Helper()
	return p.await("incompatible QoS at "+id, func(e event) bool { return e.Event == "incompatible" && e.ID == id }).Policy
}

// stats asks for the counters of an endpoint.
func (p *peer) stats(id string) event {
	p.t.Helper()
	p.send("stats %s", id)
	return p.await("stats of "+id, func(e event) bool { return e.Event == "stats" && e.ID == id })
}

// quit lets the peer leave in an orderly way and checks that it ended well.
func (p *peer) quit() {
	p.t.Helper()
	_ = p.stdin.Close()
	p.wait()
	if p.err != nil {
		p.t.Errorf("%s: %v", p.name, p.err)
	}
}

// kill ends the peer without any farewell.
func (p *peer) kill() {
	p.t.Helper()
	_ = p.cmd.Process.Kill()
	p.wait()
}

func (p *peer) wait() {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(patience):
		p.t.Fatalf("%s does not end", p.name)
	}
}

// transcript gives the last lines of both outputs.
func (p *peer) transcript() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, line := range p.history[max(0, len(p.history)-40):] {
		fmt.Fprintf(&b, "%.300s\n", line)
	}
	return b.String() + p.stderr.String()
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

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
