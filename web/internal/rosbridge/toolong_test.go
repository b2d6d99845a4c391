// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// TestMessagesAboveTheLimitAreAnswered: the message is skipped, the client gets an error with both numbers and the way
// to send it, and the connection carries the next message.
func TestMessagesAboveTheLimitAreAnswered(t *testing.T) {
	h, err := hub.New(hub.Config{Transport: ros2test.NewNetwork().NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
	if err != nil {
		t.Fatal(err)
	}
	who := teleop.New(teleop.Config{Open: teleop.OnHub(h)})
	ctx, cancel := context.WithCancel(t.Context())
	server := New(h, who, 0)
	ended := make(chan error, 1)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := socket.Accept(w, r, websocket.AcceptOptions{})
		if err == nil {
			err = server.Serve(ctx, conn, guard.Drive, "a test")
		}
		ended <- err
	}))
	conn, _, err := websocket.Dial(t.Context(), web.URL, nil) //nolint:bodyclose // it need not be closed
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{socket.MaxMessage + 1, 3 * socket.MaxMessage} {
		for _, say := range []string{strings.Repeat(" ", size), `{"op":"fly"}`} {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(say)); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{"at most 1048576", `op \"fly\"`} {
			_, data, err := conn.Read(t.Context())
			if err != nil || !strings.Contains(string(data), want) || !strings.Contains(string(data), `"level":"error"`) {
				t.Fatalf("%s, %v, want %s", data, err, want)
			}
		}
	}
	cancel()
	<-ended // the end of a client is no error, or that of its connection
	_ = conn.CloseNow()
	web.Close()
	who.Close()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
