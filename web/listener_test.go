// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
)

// The pieces of one call are contiguous: the response to a ping must not be inserted into a message.
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

// Closing a connection ends a blocked call and those that wait for it.
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
