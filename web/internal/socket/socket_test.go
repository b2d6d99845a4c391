// SPDX-License-Identifier: Apache-2.0

package socket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// link is a viewer's end of a WebSocket that Serve runs.
type link struct {
	*testing.T
	conn *websocket.Conn
	box  *outbox.Box
	stop context.CancelFunc
	done chan error // what Serve returned
	read chan struct{}
	far  chan *Conn // the server's end
}

// hear reads a message.
func (l *link) hear(want string) {
	l.Helper()
	if _, data, err := l.conn.Read(l.Context()); err != nil || string(data) != want {
		l.Fatalf("%q, %v; want %q", data, err, want)
	}
}

// connect starts Serve for one viewer.
func connect(t *testing.T, handle Handler) *link {
	t.Helper()
	l := &link{T: t, box: outbox.New(0), done: make(chan error, 1), read: make(chan struct{}, 1), far: make(chan *Conn, 1)}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := Accept(w, r, websocket.AcceptOptions{})
		if err != nil {
			l.done <- err
			return
		}
		l.far <- conn
		l.done <- Serve(ctx, conn, l.box, handle)
	}))
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	conn, _, err := websocket.Dial(t.Context(), url, nil) //nolint:bodyclose // it need not be closed
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(4 << 20)
	l.conn = conn
	t.Cleanup(func() {
		stop()
		_ = conn.CloseNow()
		server.Close()
	})
	return l
}

func (l *link) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// status reads until the server closes the connection, and returns the close status.
func (l *link) status() websocket.CloseError {
	l.Helper()
	for {
		_, _, err := l.conn.Read(l.Context())
		var closed websocket.CloseError
		if errors.As(err, &closed) {
			return closed
		}
		if err != nil {
			return websocket.CloseError{Code: -1, Reason: err.Error()}
		}
	}
}

func TestMessagesReachTheHandler(t *testing.T) {
	heard := make(chan string, 4)
	l := connect(t, func(_ context.Context, text bool, data []byte) error {
		heard <- fmt.Sprintf("%v %s", text, data)
		return nil
	})
	l.must(l.conn.Write(t.Context(), websocket.MessageText, []byte("a")))
	l.must(l.conn.Write(t.Context(), websocket.MessageBinary, []byte("b")))
	for _, want := range []string{"true a", "false b"} {
		if got := <-heard; got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
	l.must(l.conn.Close(websocket.StatusNormalClosure, ""))
	if err := <-l.done; err != nil {
		t.Errorf("a viewer that leaves: %v", err)
	}
}

// Frames arrive as they were queued, for parts of any size.
func TestFramesArrive(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	large := bytes.Repeat([]byte("0123456789abcdef"), joinBelow/16)
	for i, c := range []struct {
		frame outbox.Frame
		want  string
		kind  websocket.MessageType
	}{
		{outbox.Frame{Text: true, Head: []byte("head")}, "head", websocket.MessageText},
		{outbox.Frame{Head: []byte("head"), Body: []byte("body")}, "headbody", websocket.MessageBinary},
		{outbox.Frame{Head: []byte("h"), Body: large}, "h" + string(large), websocket.MessageBinary},
		{outbox.Frame{Text: true, Body: large[1:], Head: nil}, string(large[1:]), websocket.MessageText},
		{outbox.Frame{Body: []byte("x"), Convert: func(b []byte) []byte { return append([]byte("made of "), b...) }}, "made of x", websocket.MessageBinary},
	} {
		l.must(l.box.Answer(c.frame))
		kind, data, err := l.conn.Read(t.Context())
		if err != nil || kind != c.kind || string(data) != c.want {
			t.Fatalf("frame %d: %v, %d bytes, %v; want %v, %d bytes", i, kind, len(data), err, c.kind, len(c.want))
		}
	}
}

func TestFramesThatConvertToNilAreSkipped(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	l.must(l.box.Answer(outbox.Frame{Body: []byte("x"), Convert: func([]byte) []byte { return nil }}))
	l.must(l.box.Answer(outbox.Frame{Text: true, Head: []byte("next")}))
	if _, data, err := l.conn.Read(t.Context()); err != nil || string(data) != "next" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestViewersThatBreakARuleAreCutOff(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name   string
		err    error
		code   websocket.StatusCode
		reason string
	}{
		{"policy", fmt.Errorf("%w: no such op", ErrPolicy), websocket.StatusPolicyViolation, "socket: policy violation: no such op"},
		{"a long reason fits a close frame", fmt.Errorf("%w: %s", ErrPolicy, long), websocket.StatusPolicyViolation,
			"socket: policy violation: " + long[:120-len("socket: policy violation: ")]},
		{"a viewer that does not read", outbox.ErrFull, -1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := connect(t, func(context.Context, bool, []byte) error { return c.err })
			l.must(l.conn.Write(t.Context(), websocket.MessageText, []byte("a")))
			got := l.status()
			if got.Code != c.code || c.reason != "" && got.Reason != c.reason {
				t.Errorf("closed with %v %q, want %v %q", got.Code, got.Reason, c.code, c.reason)
			}
			if err := <-l.done; !errors.Is(err, c.err) {
				t.Errorf("Serve: %v, want %v", err, c.err)
			}
			if err := l.box.Answer(outbox.Frame{}); !errors.Is(err, outbox.ErrClosed) {
				t.Errorf("the box of a viewer that is gone: %v", err)
			}
		})
	}
}

func TestMessagesThatAreTooLongEndTheConnection(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error {
		t.Error("the handler got the message")
		return nil
	})
	// The server may close before all of it is written.
	_ = l.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, MaxMessage+1))
	if got := l.status(); got.Code != websocket.StatusMessageTooBig && got.Code != -1 {
		t.Errorf("closed with %v", got)
	}
	if err := <-l.done; err == nil {
		t.Error("no error for a viewer that sends too much")
	}
}

func TestServerThatEndsSendsGoingAway(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	l.stop()
	// The end of its context closes a connection under read: the viewer gets the close frame or the end of the stream.
	if got := l.status(); got.Code != websocket.StatusGoingAway && got.Code != -1 {
		t.Errorf("closed with %v", got)
	}
	if err := <-l.done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestBoxThatIsClosedEndsTheConnection(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	l.box.Close()
	l.status()
	if err := <-l.done; !errors.Is(err, outbox.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
}

func TestViewerThatVanishes(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	l.must(l.conn.CloseNow())
	if err := <-l.done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// TestSplitFramesArriveOnce: a frame that is split becomes several messages, in its place among the others.
func TestSplitFramesArriveOnce(t *testing.T) {
	l := connect(t, func(context.Context, bool, []byte) error { return nil })
	flow := l.box.Flow(outbox.FlowOptions{Depth: 5})
	flow.Put(outbox.Frame{Body: []byte("before"), Text: true})
	flow.Put(outbox.Frame{Body: []byte("a b c"), Text: true, Split: func(body []byte) [][]byte { return append(bytes.Fields(body), nil) }})
	flow.Put(outbox.Frame{Text: true, Split: func([]byte) [][]byte { return nil }})
	flow.Put(outbox.Frame{Body: []byte("after"), Text: true})
	for _, want := range []string{"before", "a", "b", "c", "after"} {
		l.hear(want)
	}
	l.must(l.box.Answer(outbox.Frame{Head: []byte("end"), Text: true}))
	l.hear("end")
}
