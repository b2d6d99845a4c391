// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
)

// Bits and opcodes of a frame (RFC 6455, 5.2).
const (
	final, compressed, masked             = 0x80, 0x40, 0x80
	continuation, text, opBinary, opClose = 0, 1, 2, 8
	ping                                  = 9
)

// frame returns a masked frame (with the mask zero) whose header announces a length.
func frame(first byte, length uint64, payload []byte) []byte {
	b := []byte{first}
	switch {
	case length < 126:
		b = append(b, masked|byte(length))
	case length < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, masked|126), uint16(length))
	default:
		b = binary.BigEndian.AppendUint64(append(b, masked|127), length)
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

func whole(first byte, payload []byte) []byte { return frame(first, uint64(len(payload)), payload) }

// rawViewer is a WebSocket of which a test writes the bytes.
type rawViewer struct {
	net.Conn
	in       *bufio.Reader
	response *http.Response
}

// raw opens one, offering compression.
func (r *rig) raw(path string) *rawViewer {
	r.Helper()
	c, err := net.Dial("tcp", r.base)
	r.must(err)
	r.Cleanup(func() { _ = c.Close() })
	_, err = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
		path, r.base, foxglove.PageProtocol)
	r.must(err)
	v := &rawViewer{Conn: c, in: bufio.NewReader(c)}
	v.response, err = http.ReadResponse(v.in, nil) //nolint:bodyclose // it has none
	r.must(err)
	if v.response.StatusCode != http.StatusSwitchingProtocols {
		r.Fatal(v.response.Status)
	}
	return v
}

// closed reads frames until the server closes, and returns its code.
func (v *rawViewer) closed() (websocket.StatusCode, error) {
	for {
		head := make([]byte, 2)
		if _, err := io.ReadFull(v.in, head); err != nil {
			return -1, err
		}
		length := uint64(head[1])
		if head[1] >= 126 {
			more := make([]byte, map[byte]int{126: 2, 127: 8}[head[1]])
			if _, err := io.ReadFull(v.in, more); err != nil {
				return -1, err
			}
			length = binary.BigEndian.Uint64(append(make([]byte, 8-len(more)), more...))
		}
		payload := make([]byte, length)
		if _, err := io.ReadFull(v.in, payload); err != nil {
			return -1, err
		}
		if head[0] == final|opClose {
			return websocket.StatusCode(binary.BigEndian.Uint16(payload)), nil
		}
	}
}

// repeated writes the same bytes again and again.
type repeated struct {
	data []byte
	n    int
}

func (r repeated) WriteTo(w io.Writer) (n int64, err error) {
	for range r.n {
		k, err := w.Write(r.data)
		if n += int64(k); err != nil {
			return n, err
		}
	}
	return n, nil
}

// TestBadFramesEndTheirViewerWithACloseCode: messages and fragments without end, compressed ones, and violations of
// RFC 6455. Another viewer is served meanwhile.
func TestBadFramesEndTheirViewerWithACloseCode(t *testing.T) {
	r := newRig(t, false)
	good := r.join("")
	kB := make([]byte, 1024)
	for _, c := range []struct {
		name string
		data io.WriterTo
		want websocket.StatusCode
	}{
		{"a message of 4 EiB", bytes.NewReader(frame(final|opBinary, 1<<62, make([]byte, socket.MaxSkipped+socket.MaxMessage))), websocket.StatusMessageTooBig},
		{"fragments without end", repeated{append(whole(opBinary, nil), bytes.Repeat(whole(continuation, kB), 10_000)...), 1}, websocket.StatusMessageTooBig},
		{"a compressed message", bytes.NewReader(whole(final|compressed|text, kB)), websocket.StatusProtocolError},
		{"a reserved opcode", bytes.NewReader(whole(final|3, nil)), websocket.StatusProtocolError},
		{"a message within another", bytes.NewReader(append(whole(text, kB), whole(final|text, kB)...)), websocket.StatusProtocolError},
		{"a continuation of nothing", bytes.NewReader(whole(final|continuation, kB)), websocket.StatusProtocolError},
		{"a long ping", bytes.NewReader(whole(final|ping, kB)), websocket.StatusProtocolError},
		{"a fragmented ping", bytes.NewReader(whole(ping, nil)), websocket.StatusProtocolError},
		{"an unmasked frame", strings.NewReader("\x81\x02{}"), -1}, // no WebSocket client: it gets no code
	} {
		for _, path := range []string{"/ws", "/rosbridge"} {
			v := r.raw(path)
			if h := v.response.Header.Get("Sec-WebSocket-Extensions"); h != "" {
				t.Errorf("compression was agreed on: %s", h)
			}
			wrote := make(chan struct{})
			go func() {
				defer close(wrote)
				_, _ = c.data.WriteTo(v) // the server may close it before
			}()
			if code, err := v.closed(); code != c.want {
				t.Errorf("%s at %s: closed with %d (%v), want %d", c.name, path, code, err, c.want)
			}
			_ = v.Close()
			<-wrote
			if s, ok := c.data.(io.Seeker); ok {
				_, err := s.Seek(0, io.SeekStart)
				r.must(err)
			}
		}
	}
	good.settled()
}
