// SPDX-License-Identifier: Apache-2.0

package socket

import (
	"bufio"
	"context"
	"encoding/binary"
	"net"
	"net/http"

	"github.com/coder/websocket"
)

// Conn is the server's end of a WebSocket. Small frames bypass the library, many at once; all others, and answers to
// pings, are the library's, which writes each control frame in one call, so that frames are not interleaved
// (TestPingsComeBetweenMessages). The underlying connection must not mix two concurrent calls of Write.
type Conn struct {
	*websocket.Conn
	below net.Conn
	// OnTooLong, if set before [Serve], is called for a message of more than [MaxMessage] bytes, which is skipped: its
	// error ends the connection. Without it such a message ends the connection.
	OnTooLong func(err error) error
	rate      rate // limits what the viewer sends; used by the reading goroutine
}

// Accept accepts a WebSocket request like [websocket.Accept], without compression.
func Accept(w http.ResponseWriter, r *http.Request, o websocket.AcceptOptions) (*Conn, error) {
	o.CompressionMode = websocket.CompressionDisabled
	c := &Conn{}
	o.OnPingReceived = func(ctx context.Context, _ []byte) bool { return c.rate.wait(ctx) == nil }
	o.OnPongReceived = func(ctx context.Context, _ []byte) { _ = c.rate.wait(ctx) } // reading ends with ctx
	h := &hijacker{ResponseWriter: w}
	conn, err := websocket.Accept(h, r, &o)
	if err != nil {
		return nil, err
	}
	c.Conn, c.below = conn, h.conn
	return c, nil
}

// hijacker keeps the connection that the library hijacks.
type hijacker struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements [http.Hijacker].
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, rw, err
}

// flush sends whole frames.
func (c *Conn) flush(frames []byte) error {
	if len(frames) == 0 {
		return nil
	}
	_, err := c.below.Write(frames)
	return err
}

// appendHeader appends the header of an unmasked message in one frame (RFC 6455, 5.2); size is at most [joinBelow].
func appendHeader(b []byte, kind websocket.MessageType, size int) []byte {
	const final, short, in16 = 0x80, 125, 126
	b = append(b, final|byte(kind)) // the opcodes of text and binary are the library's numbers of them
	if size <= short {
		return append(b, byte(size))
	}
	return binary.BigEndian.AppendUint16(append(b, in16), uint16(size))
}
