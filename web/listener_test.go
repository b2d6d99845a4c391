// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
)

// What one call writes stays together, although it leaves in pieces: an answer to a ping must not lie within messages.
func TestPiecesOfACallStayTogether(t *testing.T) {
	const calls, size = 20, 3*writePiece + 100
	near, far := net.Pipe()
	defer func() { _ = far.Close() }()
	conn := &patientConn{Conn: near, free: func() {}}
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			if n, err := conn.Write(bytes.Repeat([]byte{byte(i)}, size)); n != size || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
	for range calls {
		block := make([]byte, size)
		if _, err := io.ReadFull(far, block); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(block, block[:1]); n != size {
			t.Fatalf("%d of %d bytes of a call, then others", n, size)
		}
	}
	wg.Wait()
}

// A connection that is closed ends a call that waits, and others that wait for that.
func TestClosedConnectionEndsItsCalls(t *testing.T) {
	near, far := net.Pipe()
	freed := 0
	conn := newPatientConn(near, func(*patientConn) { freed++ })
	ended := make(chan error, 2)
	for range cap(ended) {
		go func() {
			_, err := conn.Write(make([]byte, writePiece))
			ended <- err
		}()
	}
	_, err := io.ReadFull(far, make([]byte, 1)) // one of them is under way
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil || freed != 1 {
		t.Errorf("%v, freed %d times", err, freed)
	}
	for range cap(ended) {
		if err := <-ended; err == nil {
			t.Error("no error on a closed connection")
		}
	}
}
