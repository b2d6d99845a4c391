// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// TestUnauthorisedAccessIsRefused tries known attacks on the server.
func TestUnauthorisedAccessIsRefused(t *testing.T) {
	open, closed := newRig(t, false), newRig(t, true)
	origin := func(v string) http.Header { return http.Header{"Origin": {v}} }
	basic := func(r *rig, page string) http.Header {
		h := origin("http://" + page)
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("x:"+r.token(guard.Drive))))
		return h
	}
	for _, c := range []struct {
		name      string
		rig       *rig
		header    http.Header
		protocols []string
		want      int
	}{
		{"own program", open, nil, nil, http.StatusSwitchingProtocols},
		{"own page", open, origin("http://" + open.base), nil, http.StatusSwitchingProtocols},
		{"foreign page", open, origin("http://evil.example"), nil, http.StatusForbidden},
		{"foreign name", open, http.Header{"Host": {"evil.example"}}, nil, http.StatusForbidden},
		{"foreign name and page", open, http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}}, nil, http.StatusForbidden},
		{"no token", closed, nil, nil, http.StatusUnauthorized},
		{"own page without a token", closed, origin("http://" + closed.base), nil, http.StatusUnauthorized},
		{"wrong token", closed, nil, []string{"token.0123456789abcdefghijkl"}, http.StatusUnauthorized},
		{"remembered password, own page", closed, basic(closed, closed.base), nil, http.StatusSwitchingProtocols},
		{"remembered password, page of another port", closed, basic(closed, "127.0.0.1:3000"), nil, http.StatusForbidden},
		{"token that looks", closed, nil, []string{"token." + closed.token(guard.View)}, http.StatusSwitchingProtocols},
		{"token that drives", closed, nil, []string{"token." + closed.token(guard.Drive)}, http.StatusSwitchingProtocols},
	} {
		for _, path := range []string{"/", "/ws"} {
			v, status := c.rig.dial(path, c.header, append([]string{foxglove.PageProtocol}, c.protocols...)...)
			if status != c.want {
				t.Errorf("%s at %s: %d, want %d", c.name, path, status, c.want)
			}
			if v != nil {
				_ = v.conn.CloseNow()
			}
		}
	}
}

// TestPageIsServedToOwnNamesOnly: only the page's files are served, and only for this machine's names.
func TestPageIsServedToOwnNamesOnly(t *testing.T) {
	r := newRig(t, true)
	for path, want := range map[string]int{
		"/": 200, "/page.js": 200, "/page.css": 200, "/icon.svg": 200, "/../etc/passwd": 404, "/%2e%2e/%2e%2e/etc/passwd": 404,
		"/dist/page.js": 404, "/page.go": 404,
	} {
		request, err := http.NewRequest(http.MethodGet, "http://"+r.base, nil)
		r.must(err)
		request.URL.Opaque = "//" + r.base + path
		response, err := http.DefaultTransport.RoundTrip(request)
		r.must(err)
		_, err = io.Copy(io.Discard, response.Body)
		r.must(errors.Join(err, response.Body.Close()))
		// the mux redirects to the cleaned path
		if status := response.StatusCode; status != want && (status < 300 || status >= 400) {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
		if !strings.Contains(response.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: no policy", path)
		}
	}
	request, err := http.NewRequest(http.MethodGet, "http://"+r.base+"/", nil)
	r.must(err)
	request.Host = "evil.example"
	response, err := http.DefaultTransport.RoundTrip(request)
	r.must(err)
	r.must(response.Body.Close())
	if response.StatusCode != http.StatusForbidden {
		t.Error(response.StatusCode)
	}
}

// TestReadOnlyTokenChangesNothing: neither driving nor publishing, parameters, or services.
func TestReadOnlyTokenChangesNothing(t *testing.T) {
	r := newRig(t, true)
	heard := make(chan struct{}, 100)
	_, err := ros2.Listen(r.robot, "cmd_vel", ros2.DefaultQoS(), func(*geometry_msgs.Twist) { heard <- struct{}{} })
	r.must(err)
	v := r.join(r.token(guard.View))
	for _, m := range []map[string]any{
		{"op": "takeControl", "robot": "/"}, {"op": "takeControl", "robot": "/", "force": true}, {"op": "drive", "robot": "/", "v": 1},
		{"op": "advertise", "channels": []any{map[string]any{"id": 1, "topic": "/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/msg/Twist"}}},
		{"op": "setParameters", "parameters": []any{map[string]any{"name": "/robot.use_sim_time", "value": true}}},
	} {
		v.say(m)
		v.status(foxglove.ErrRights.Error())
	}
	r.must(v.conn.Write(t.Context(), websocket.MessageBinary, append([]byte{1, 1, 0, 0, 0}, `{"linear":{"x":1}}`...)))
	v.status(foxglove.ErrRights.Error())
	select {
	case <-heard:
		t.Error("the robot was driven")
	default:
	}
	if p, err := r.robot.Parameter("use_sim_time"); err != nil || p.Bool() {
		t.Error(p, err)
	}
}

// TestExcessConnectionsAreRefused: connections above the limit are closed at once, and open ones are not affected.
func TestExcessConnectionsAreRefused(t *testing.T) {
	r := newRig(t, false)
	pub, err := ros2.NewPublisher[std_msgs.String](r.robot, "chatter", ros2.LatchedQoS())
	r.must(err)
	r.must(pub.Publish(&std_msgs.String{Data: "hello"}))
	v := r.join("")
	id := v.channel("/chatter")
	var crowd []net.Conn
	defer func() {
		for _, c := range crowd {
			_ = c.Close()
		}
	}()
	crowded := 10_000
	if !suite.Long {
		crowded = 500
	}
	for range crowded {
		c, err := net.Dial("tcp", r.base)
		if err != nil { // this machine has no more
			break
		}
		crowd = append(crowd, c)
		if len(crowd) > 4*maxConnections { // the oldest of those that were turned away
			_ = crowd[maxConnections].Close()
			crowd = append(crowd[:maxConnections], crowd[maxConnections+1:]...)
		}
	}
	v.say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 7, "channelId": id}}})
	if data := v.binary(); !strings.Contains(string(data), "hello") {
		t.Errorf("%q", data)
	}
	if n := r.server.limited.pool.size(); n > maxConnections {
		t.Errorf("%d connections are open", n)
	}
}

// TestSlowHeadsAreCutOff: a request whose head arrives slowly does not occupy its connection.
func TestSlowHeadsAreCutOff(t *testing.T) {
	r := newRig(t, false, func(c *Config) { c.headTime = 50 * time.Millisecond })
	c, err := net.Dial("tcp", r.base)
	r.must(err)
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ") // it may be closed already
	r.must(c.SetReadDeadline(time.Now().Add(2 * time.Minute)))
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) { // any other end: the server has closed it
		t.Error(err)
	}
}

// TestHugeFrameIsRefused: its viewer gets an error, and stays connected like the others.
func TestHugeFrameIsRefused(t *testing.T) {
	r := newRig(t, false)
	good, bad := r.join(""), r.join("")
	good.hear("serverInfo", nil)
	bad.hear("serverInfo", nil)
	r.must(bad.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 8<<20)))
	bad.hear("status", func(m map[string]any) bool {
		return m["level"] == 2. && strings.Contains(m["message"].(string), "8388608 bytes")
	})
	for _, viewer := range []*viewer{bad, good} {
		viewer.say(map[string]any{"op": "takeControl", "robot": "/"})
		viewer.hear("control", func(m map[string]any) bool { return len(m["robots"].([]any)) == 1 })
	}
}

// TestSlowViewerDelaysNoOther: a viewer that does not read costs its queue only; publishing continues, and what it
// reads in the end is the latest.
func TestSlowViewerDelaysNoOther(t *testing.T) {
	r := newRig(t, false)
	pub, err := ros2.NewPublisher[std_msgs.String](r.robot, "chatter", ros2.DefaultQoS())
	r.must(err)
	v := r.join("")
	id := v.channel("/chatter")
	v.say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 7, "channelId": id}}})
	v.settled()
	const messages = 2000
	text := strings.Repeat("x", 20_000)
	for i := range messages {
		last := "more"
		if i == messages-1 {
			last = "last"
		}
		r.must(pub.Publish(&std_msgs.String{Data: last + text})) // would block forever if a viewer could
	}
	read := 0
	for {
		data := v.binary()
		read++
		if strings.Contains(string(data[:40]), "last") {
			break
		}
	}
	if read == messages {
		t.Errorf("all %d messages were kept for a viewer that did not read", messages)
	}
}

// TestServerEndsWithItsViewers.
func TestServerEndsWithItsViewers(t *testing.T) {
	r := newRig(t, false)
	v := r.join("")
	v.hear("serverInfo", nil)
	r.must(r.server.Close())
	for {
		_, _, err := v.conn.Read(context.Background())
		if err != nil {
			break
		}
	}
	r.must(r.server.Close())
}
