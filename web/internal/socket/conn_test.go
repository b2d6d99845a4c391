// SPDX-License-Identifier: Apache-2.0

package socket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// calls counts the calls of Write, which fail while it is broken.
type calls struct {
	net.Conn
	n      atomic.Int32
	broken atomic.Bool
}

var errBroken = errors.New("broken")

func (c *calls) Write(p []byte) (int, error) {
	if c.broken.Load() {
		return 0, errBroken
	}
	c.n.Add(1)
	return c.Conn.Write(p)
}

// The messages of a control cycle are written in one system call, in order.
func TestQueuedFramesAreWrittenTogether(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	l.must(l.box.Answer(outbox.Frame{Head: []byte("first")}))
	l.hear("first")
	end := <-l.far
	counted := &calls{Conn: end.below}
	end = &Conn{Conn: end.Conn, below: counted}
	const messages = 40
	var frames []outbox.Frame
	for i := range messages {
		frames = append(frames, outbox.Frame{Head: fmt.Appendf(nil, "%d ", i), Body: bytes.Repeat([]byte("x"), 10*i), Text: i%2 == 0})
	}
	_, err := end.send(t.Context(), nil, frames)
	l.must(err)
	for i := range messages {
		l.hear(fmt.Sprint(i, " ", strings.Repeat("x", 10*i)))
	}
	if n := counted.n.Load(); n != 1 {
		t.Errorf("%d calls for %d messages", n, messages)
	}
	counted.broken.Store(true)
	for _, size := range []int{1, joinBelow + 1} { // what waits before a large message fails, too
		frames := []outbox.Frame{{Head: []byte("small")}, {Body: make([]byte, size)}}
		if _, err := end.send(t.Context(), nil, frames); !errors.Is(err, errBroken) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// Messages of any size and responses to pings arrive as sent: none is inserted into another.
func TestPingsComeBetweenMessages(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 300), rapid.SampledFrom([]int{125, 126, joinBelow - 1, joinBelow, joinBelow + 1, 70_000})), 300, 300).Example(1)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			if err := l.conn.Ping(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	wg.Go(func() {
		for i, size := range sizes {
			for l.box.Stats().Bytes > outbox.Limit/2 {
				<-l.read
			}
			if err := l.box.Answer(outbox.Frame{Text: i%3 == 0, Body: bytes.Repeat([]byte{byte('a' + i%26)}, size)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for i, size := range sizes {
		kind, data, err := l.conn.Read(t.Context())
		if err != nil || (kind == websocket.MessageText) != (i%3 == 0) || !bytes.Equal(data, bytes.Repeat([]byte{byte('a' + i%26)}, size)) {
			t.Fatalf("message %d of %d bytes: %v, %d bytes, %v", i, size, kind, len(data), err)
		}
		select {
		case l.read <- struct{}{}:
		default:
		}
	}
	l.conn.CloseRead(t.Context()) // the pings that are left want answers, too
	wg.Wait()
}

// Sending small messages does not allocate.
func TestSendingDoesNotAllocate(t *testing.T) {
	c := &Conn{below: nowhere{}}
	frames := []outbox.Frame{{Head: make([]byte, 13), Body: make([]byte, 200)}, {Text: true, Head: make([]byte, 40)}}
	batch, err := c.send(t.Context(), nil, frames)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { batch, _ = c.send(context.Background(), batch[:0], frames) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// nowhere is a connection that discards writes.
type nowhere struct{ net.Conn }

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// A request that is not for a WebSocket, or whose connection can't be hijacked, is answered and results in an error.
func TestRequestsThatAreRefused(t *testing.T) {
	for name, change := range map[string]func(*http.Request){
		"no upgrade":              func(r *http.Request) { r.Header.Del("Upgrade") },
		"no key":                  func(r *http.Request) { r.Header.Del("Sec-WebSocket-Key") },
		"a recorder's connection": func(*http.Request) {},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for k, v := range map[string]string{"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} {
			r.Header.Set(k, v)
		}
		change(r)
		w := httptest.NewRecorder()
		if conn, err := Accept(w, r, websocket.AcceptOptions{}); err == nil || conn != nil {
			t.Errorf("%s: %v, %v", name, conn, err)
		}
	}
}
