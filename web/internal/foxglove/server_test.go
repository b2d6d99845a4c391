// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
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
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

func TestConfigNeedsItsFields(t *testing.T) {
	for name, cfg := range map[string]Config{"nothing": {}, "no hub": {Arbiter: &teleop.Arbiter{}}, "no arbiter": {Hub: &hub.Hub{}}} {
		if s, err := New(cfg); s != nil || !errors.Is(err, hub.ErrConfig) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// TestOperations: an invalid message is reported as an error and does not end the connection.
func TestOperations(t *testing.T) {
	inScene(t, func(s *scene) {
		for say, want := range map[string]string{
			``: "unexpected end", `[]`: "the message is a JSON array, want an object", `{}`: `op ""`, `{"op":"fly"}`: `op "fly"`, `{"op":7}`: "op is a JSON number, want a string",
			`{"op":"` + strings.Repeat("x", 1000) + `"}`: `op "xxx`,
		} {
			s.say("%s", say)
			s.refused(statusError, want)
		}
		// Every operation reports a field of another type.
		for op, field := range map[string]string{
			"subscribe": "subscriptions", "unsubscribe": "subscriptionIds", "advertise": "channels", "unadvertise": "channelIds",
			"getParameters": "parameterNames", "setParameters": "parameters", "subscribeParameterUpdates": "parameterNames",
			"unsubscribeParameterUpdates": "parameterNames", "fetchAsset": "uri", "takeControl": "robot", "releaseControl": "robot",
			"drive": "v", "acknowledge": "subscriptionId", "offer": "sdp", "describe": "type",
		} {
			s.say(`{"op":%q,%q:{"a":true}}`, op, field)
			s.refused(statusError, field)
			if s.client.operations()[op] == nil {
				s.Error(op)
			}
		}
	})
}

// TestClientThatDoesNotReadIsCutOff: only a full queue ends the connection.
func TestClientThatDoesNotReadIsCutOff(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.client.handle(s.Context(), true, []byte(`{"op":"fly"}`)))
		if err := s.client.handle(s.Context(), true, []byte(`{"op":"fly"}`)); !errors.Is(err, outbox.ErrFull) {
			s.Error(err)
		}
		for _, say := range []string{ // of each kind of answer one
			`{"op":"subscribe","subscriptions":[{"id":1,"channelId":7}]}`, `{"op":"unsubscribe","subscriptionIds":[1]}`,
			`{"op":"advertise","channels":[{"id":1}]}`, `{"op":"unadvertise","channelIds":[9]}`, `{"op":"fetchAsset"}`, `{"op":"offer"}`,
		} {
			if err := s.client.handle(s.Context(), true, []byte(say)); !errors.Is(err, outbox.ErrFull) {
				s.Errorf("%s: %v", say, err)
			}
		}
		if err := s.client.handle(s.Context(), false, request(9, 9, "cdr", "")); !errors.Is(err, outbox.ErrFull) {
			s.Error(err)
		}
		s.client.box.Close()
		if err := s.client.handle(s.Context(), true, []byte(`{"op":"fly"}`)); !errors.Is(err, outbox.ErrClosed) {
			s.Error(err)
		}
	}, tight)
}

// TestOffer: the response to an offer of live video has the offer's id, also in case of an error.
func TestOffer(t *testing.T) {
	live := func(_ context.Context, offer string) (string, error) {
		if offer == "bad" {
			return "", errors.New("no such codec")
		}
		return "answer to " + offer, nil
	}
	inScene(t, func(s *scene) {
		s.say(`{"op":"offer","id":"1","sdp":"v=0"}`)
		if m := s.hear("live"); m["id"] != "1" || m["sdp"] != "answer to v=0" || m["error"] != nil {
			s.Errorf("%v", m)
		}
		s.say(`{"op":"offer","id":"2","sdp":"bad"}`)
		if m := s.hear("live"); m["id"] != "2" || m["sdp"] != nil || m["error"] != "no such codec" {
			s.Errorf("%v", m)
		}
	}, func(_ *scene, c *Config) { c.Live = live }, role(guard.View))
	inScene(t, func(s *scene) {
		s.say(`{"op":"offer","id":"3","sdp":"v=0"}`)
		if m := s.hear("live"); m["id"] != "3" || m["error"] != "no H.264 encoder here" {
			s.Errorf("%v", m)
		}
	})
}

// served is a server behind a WebSocket on this machine.
type served struct {
	*testing.T
	url   string
	ended chan error
	stop  context.CancelFunc
}

func serve(t *testing.T, change func(*Config)) *served {
	t.Helper()
	network := ros2test.NewNetwork()
	h, err := hub.New(hub.Config{Transport: network.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Hub: h, Arbiter: teleop.New(teleop.Config{Open: teleop.OnHub(h)})}
	change(&cfg)
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	v := &served{T: t, ended: make(chan error, 10), stop: cancel}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := socket.Accept(w, r, websocket.AcceptOptions{Subprotocols: Protocols()})
		if err != nil {
			t.Error(err)
			return
		}
		v.ended <- server.Serve(ctx, conn, guard.Drive, "a test")
	}))
	v.url = web.URL
	t.Cleanup(func() {
		cancel()
		web.Close()
		cfg.Arbiter.Close()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

// dial opens a connection and reads serverInfo, which comes first.
func (v *served) dial(protocols ...string) *websocket.Conn {
	v.Helper()
	conn, _, err := websocket.Dial(v.Context(), v.url, &websocket.DialOptions{Subprotocols: protocols}) //nolint:bodyclose // it need not be closed
	if err != nil {
		v.Fatal(err)
	}
	v.Cleanup(func() { _ = conn.CloseNow() })
	if _, data, err := conn.Read(v.Context()); err != nil || !strings.Contains(string(data), `"op":"serverInfo"`) {
		v.Fatalf("%s, %v", data, err)
	}
	return conn
}

// TestServe: the page's protocol is preferred where it is offered; a disconnect of the client is no error.
func TestServe(t *testing.T) {
	v := serve(t, func(c *Config) { c.Playback = &recording{state: PlaybackState{Paused: true}} })
	for _, c := range []struct {
		offered []string
		want    string
	}{{[]string{OldProtocol, PageProtocol}, PageProtocol}, {[]string{OldProtocol}, OldProtocol}, {[]string{Protocol}, Protocol}} {
		conn := v.dial(c.offered...)
		if got := conn.Subprotocol(); got != c.want {
			t.Errorf("%v: %s, want %s", c.offered, got, c.want)
		}
		page := false
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"op":"fly"}`)); err != nil {
			t.Fatal(err)
		}
		for seen := map[string]bool{}; !seen["status"] || !seen["playback"]; {
			kind, data, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			page = page || strings.Contains(string(data), `"op":"control"`)
			seen["status"] = seen["status"] || strings.Contains(string(data), `"op":"status"`)
			seen["playback"] = seen["playback"] || kind == websocket.MessageBinary && data[0] == opPlaybackState
		}
		if page && c.want != PageProtocol {
			t.Errorf("%s receives the drivers", c.want)
		}
		if err := conn.Close(websocket.StatusNormalClosure, ""); err != nil {
			t.Error(err)
		}
		if err := <-v.ended; err != nil {
			t.Error(err)
		}
	}
}

// TestServeEndsWithItsContext: the end of the context closes the connection with a status.
func TestServeEndsWithItsContext(t *testing.T) {
	v := serve(t, func(*Config) {})
	conn := v.dial(Protocol)
	v.stop()
	for {
		if _, _, err := conn.Read(t.Context()); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusGoingAway && websocket.CloseStatus(err) != -1 {
				t.Error(err)
			}
			break
		}
	}
	if err := <-v.ended; err != nil {
		t.Error(err)
	}
}
