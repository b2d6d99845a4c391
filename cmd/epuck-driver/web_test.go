// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// surfer is a viewer of a page that a program serves.
type surfer struct {
	t    *testing.T
	conn *websocket.Conn
	url  string
}

// pageOf waits until a program says where its page is.
func pageOf(t *testing.T, out io.Reader) (url string) {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "Look and drive: "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return rest
		}
	}
	t.Fatal("the program did not say where its page is: ", lines.Err())
	return ""
}

// surf opens the page's connection.
func surf(t *testing.T, url string) *surfer {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if err != nil || !strings.Contains(string(page), "page.js") {
		t.Fatalf("%v: %.200s", err, page)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(url, "http", "ws", 1)+"ws", &websocket.DialOptions{Subprotocols: []string{"epuck.v1"}}) //nolint:bodyclose // says websocket.Dial
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(8 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &surfer{t: t, conn: conn, url: url}
}

func (s *surfer) say(m map[string]any) {
	s.t.Helper()
	data, err := json.Marshal(m)
	if err == nil {
		err = s.conn.Write(s.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// hear reads until a message fits.
func (s *surfer) hear(op string, fits func(map[string]any) bool) {
	s.t.Helper()
	for {
		kind, data, err := s.conn.Read(s.t.Context())
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", op, err)
		}
		var m map[string]any
		if kind == websocket.MessageText && json.Unmarshal(data, &m) == nil && m["op"] == op && fits(m) {
			return
		}
	}
}

// follow subscribes to a topic when it is there, and waits for a message.
func (s *surfer) follow(topic string) {
	s.t.Helper()
	s.hear("advertise", func(m map[string]any) bool {
		for _, c := range m["channels"].([]any) {
			if c := c.(map[string]any); c["topic"] == topic {
				s.say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 1, "channelId": c["id"]}}})
				return true
			}
		}
		return false
	})
	for {
		if kind, data, err := s.conn.Read(s.t.Context()); err != nil {
			s.t.Fatal(err)
		} else if kind == websocket.MessageBinary && data[0] == 1 { // not the time
			return
		}
	}
}

// page starts a program of the patient's domain that serves a page.
func (p *patient) page(args ...string) (url string) {
	p.t.Helper()
	p.cmd = p.command(args...)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	cmd := p.cmd
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return pageOf(p.t, out)
}

// TestSimServesThePage: the address that sim prints shows the robot, and live video says why there is none.
func TestSimServesThePage(t *testing.T) {
	p := prepare(t)
	begun := time.Now()
	s := surf(t, p.page("sim", "--web=localhost:0"))
	s.follow("/image_raw/compressed")
	t.Logf("%v from the start of the program to a picture", time.Since(begun).Round(time.Millisecond))
	s.say(map[string]any{"op": "offer", "id": "1", "sdp": "v=0"})
	s.hear("live", func(m map[string]any) bool { return strings.Contains(m["error"].(string), "no H.264 encoder") })
}

// TestFleetServesThePage: so does that of a world with several robots, with where they really are.
func TestFleetServesThePage(t *testing.T) {
	p := prepare(t)
	s := surf(t, p.page("sim", "--world", "empty", "--robots", "3", "--level", "functional", "--web=localhost:0"))
	s.follow("/epuck2/ground_truth")
}

// TestWebShowsTheNetwork: epuck-driver web, on its own, shows and drives a robot that it finds by DDS. The viewer falls
// silent without closing its connection: the wheels stop.
func TestWebShowsTheNetwork(t *testing.T) {
	p := prepare(t)
	p.page("sim", "--world", "plane", "--truth", p.truth, "--web=localhost:0")
	s := surf(t, p.page("web", "--address", "localhost:0"))
	s.follow("/odom")
	s.say(map[string]any{"op": "takeControl", "robot": "/"})
	s.hear("control", func(m map[string]any) bool { return len(m["robots"].([]any)) == 1 })
	p.await("the wheels to turn", func(r groundtruth.Record) bool {
		s.say(map[string]any{"op": "drive", "robot": "/", "v": 0.05, "w": 0})
		return r.Moving
	})
	p.wantStopped()
}
