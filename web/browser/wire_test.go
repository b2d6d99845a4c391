// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// wire is a connection between browser and server that can be cut without notice to either side. It can also delay
// data and deliver them later, as TCP does after an outage.
type wire struct {
	port string
	dead atomic.Bool

	mu    sync.Mutex
	held  chan struct{} // closed to deliver delayed data; nil without delay
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

// pass copies until one side ends. Data that arrive while the wire is dead are lost.
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

// hold delays all data until release is called.
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

// wait returns when no data are delayed.
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
