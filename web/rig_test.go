// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

func TestMain(m *testing.M) {
	suite.VerifyNoLeaks(m,
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"))
}

// rig is a server on a network in memory, with a node of a robot on it.
type rig struct {
	testing.TB
	server *Server
	robot  *ros2.Node
	base   string // host:port
}

// newRig starts it; with tokens viewers need one.
func newRig(t testing.TB, tokens bool, change ...func(*Config)) *rig {
	t.Helper()
	ether := ros2test.NewNetwork()
	r := &rig{TB: t}
	var err error
	r.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ether.NewTransport(), Standard: true})
	r.must(err)
	cfg := Config{Address: "localhost:0", Transport: ether.NewTransport(), Types: msgs.Definition}
	if tokens {
		cfg.TokenFile = filepath.Join(t.TempDir(), "tokens.json")
	}
	for _, f := range change {
		f(&cfg)
	}
	r.server, err = New(cfg)
	r.must(err)
	r.base = r.server.Address().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		r.must(r.robot.Close())
		http.DefaultClient.CloseIdleConnections()
	})
	return r
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// token returns the token of a role.
func (r *rig) token(role guard.Role) string {
	if role == guard.Drive {
		return r.server.tokens.Drive
	}
	return r.server.tokens.View
}

// viewer is a WebSocket of the page's protocol.
type viewer struct {
	*rig
	conn *websocket.Conn
	// heard are JSON messages that were read while another was looked for.
	heard []map[string]any
}

// dial opens a WebSocket and returns the status of the answer where it is refused.
func (r *rig) dial(path string, header http.Header, protocols ...string) (*viewer, int) {
	r.Helper()
	options := &websocket.DialOptions{Subprotocols: protocols, HTTPHeader: header}
	if host := header.Get("Host"); host != "" {
		options.Host = host
	}
	conn, response, err := websocket.Dial(r.Context(), "ws://"+r.base+path, options) //nolint:bodyclose // it need not be closed
	if err != nil {
		if response == nil {
			r.Fatal(err)
		}
		return nil, response.StatusCode
	}
	conn.SetReadLimit(4 << 20)
	v := &viewer{rig: r, conn: conn}
	r.Cleanup(func() { _ = conn.CloseNow() })
	return v, http.StatusSwitchingProtocols
}

// join opens the page's connection with a token.
func (r *rig) join(token string) *viewer {
	r.Helper()
	protocols := []string{foxglove.PageProtocol}
	if token != "" {
		protocols = append(protocols, guard.TokenProtocol+token)
	}
	v, status := r.dial("/ws", nil, protocols...)
	if v == nil {
		r.Fatal(status)
	}
	return v
}

func (v *viewer) say(m map[string]any) {
	v.Helper()
	data, err := json.Marshal(m)
	v.must(err)
	v.must(v.conn.Write(v.Context(), websocket.MessageText, data))
}

// hear reads until a JSON message fits.
func (v *viewer) hear(op string, fits func(map[string]any) bool) map[string]any {
	v.Helper()
	for i, m := range v.heard {
		if m["op"] == op && (fits == nil || fits(m)) {
			v.heard = append(v.heard[:i:i], v.heard[i+1:]...)
			return m
		}
	}
	for {
		kind, data, err := v.conn.Read(v.Context())
		if err != nil {
			v.Fatalf("waiting for %s: %v (heard %v)", op, err, v.heard)
		}
		if kind != websocket.MessageText {
			continue
		}
		var m map[string]any
		v.must(json.Unmarshal(data, &m))
		if m["op"] == op && (fits == nil || fits(m)) {
			return m
		}
		v.heard = append(v.heard, m)
	}
}

// channel waits until a topic is advertised and returns its id.
func (v *viewer) channel(topic string) (id float64) {
	v.Helper()
	v.hear("advertise", func(m map[string]any) bool {
		for _, c := range m["channels"].([]any) {
			if c := c.(map[string]any); c["topic"] == topic {
				id = c["id"].(float64)
				return true
			}
		}
		return false
	})
	return id
}

// binary reads until a binary message comes.
func (v *viewer) binary() []byte {
	v.Helper()
	for {
		kind, data, err := v.conn.Read(v.Context())
		v.must(err)
		if kind == websocket.MessageBinary {
			return data
		}
	}
}

// status waits for a status that holds a text.
func (v *viewer) status(text string) {
	v.Helper()
	v.hear("status", func(m map[string]any) bool { return strings.Contains(m["message"].(string), text) })
}

// settled returns when the server has done all that was said before: the answer to a wrong message shows it.
func (v *viewer) settled() {
	v.Helper()
	v.say(map[string]any{"op": "settled?"})
	v.status("settled?")
}
