// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// wire is a cable between browser and server that can be cut: then nothing passes, and neither side is told. It can
// also hold up what it carries and bring it later, as TCP does after an outage.
type wire struct {
	port string
	dead atomic.Bool

	mu    sync.Mutex
	held  chan struct{} // closed when what is held up goes on; nil: nothing is
	conns []net.Conn
}

func newWire(t testing.TB, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{}
	_, w.port, _ = net.SplitHostPort(l.Addr().String())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil {
				_ = a.Close()
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, a, b)
			w.mu.Unlock()
			wg.Go(func() { w.pass(a, b) })
			wg.Go(func() { w.pass(b, a) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		w.hangUp()
		wg.Wait()
	})
	return w
}

// pass copies until one side ends. What comes while the wire is dead is lost, for good.
func (w *wire) pass(from, to net.Conn) {
	defer func() { _ = to.Close() }()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		w.wait()
		if !w.dead.Load() {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err == io.EOF || err != nil {
			return
		}
	}
}

// hold holds up all that comes, until the function returned is called.
func (w *wire) hold() (release func()) {
	held := make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = held
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.held = nil
		close(held)
	}
}

// wait returns when nothing is held up.
func (w *wire) wait() {
	w.mu.Lock()
	held := w.held
	w.mu.Unlock()
	if held != nil {
		<-held
	}
}

// hangUp ends all connections.
func (w *wire) hangUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}
