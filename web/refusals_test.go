// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// lockedBuffer is a log that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestRefusedTokenIsLoggedOnceWithoutTheToken: an address that tries several tokens results in one log line.
func TestRefusedTokenIsLoggedOnceWithoutTheToken(t *testing.T) {
	var log lockedBuffer
	r := newRig(t, true, func(c *Config) {
		c.Address = "127.0.0.1:0"
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	const secret = "a-secret-mistyped-by-one-letter"
	for range 20 {
		if v, status := r.dial("/ws", nil, foxglove.PageProtocol, guard.TokenProtocol+secret); v != nil || status != http.StatusUnauthorized {
			t.Fatal(status)
		}
		for _, path := range []string{"/metrics", "/access", "/stream.mjpg?token=" + secret} {
			r.get(path, secret)
		}
		r.get("/"+secret, secret)
	}
	text := log.String()
	if n := strings.Count(text, "level=WARN"); n != 1 || !strings.Contains(text, "token=wrong") || !strings.Contains(text, "from=127.0.0.1") {
		t.Errorf("%d warnings:\n%s", n, text)
	}
	for _, s := range []string{secret, r.server.tokens.View, r.server.tokens.Drive} {
		if strings.Contains(text, s) {
			t.Errorf("a token is logged:\n%s", text)
		}
	}
	if n := r.server.Stats().Refused; n != 80 {
		t.Errorf("%d refused requests, want 80", n)
	}
}

// get makes a request with a token and returns status and body.
func (r *rig) get(path, token string, headers ...string) (status int, body string) {
	r.Helper()
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://"+r.base+path, nil)
	r.must(err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	r.must(err)
	data, err := io.ReadAll(response.Body)
	r.must(errors.Join(err, response.Body.Close()))
	return response.StatusCode, string(data)
}

func TestRefusalsAreLoggedPerAddressAndBounded(t *testing.T) {
	var l refusals
	now := time.Unix(0, 0)
	one := netip.MustParseAddr("192.0.2.1")
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {0, false}, {refusalInterval - 1, false}, {1, true}, {1, false}} {
		if now = now.Add(c.after); l.due(one, now) != c.want {
			t.Errorf("at %v: want %v", now, c.want)
		}
	}
	lines := 0
	for i := range 10_000 {
		if l.due(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), now) {
			lines++
		}
	}
	if lines >= maxRefusals || len(l.logged) > maxRefusals {
		t.Errorf("%d lines, %d addresses remembered", lines, len(l.logged))
	}
	if !l.due(netip.MustParseAddr("192.0.2.9"), now.Add(refusalInterval)) {
		t.Error("no line after the interval")
	}
}

// TestAccessReportsRoleOfToken: with status 200 and no challenge, which would open the browser's own dialog.
func TestAccessReportsRoleOfToken(t *testing.T) {
	open, closed := newRig(t, false), newRig(t, true)
	for _, c := range []struct {
		rig   *rig
		token string
		want  access
	}{
		{open, "", access{"drive", "unneeded"}},
		{open, "whatever", access{"drive", "unneeded"}},
		{closed, "", access{"none", "missing"}},
		{closed, "whatever", access{"none", "wrong"}},
		{closed, closed.token(guard.View), access{"view", "valid"}},
		{closed, closed.token(guard.Drive), access{"drive", "valid"}},
	} {
		status, body := c.rig.get("/access", c.token)
		var got access
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK || got != c.want {
			t.Errorf("token %q: %d %s, want %+v", c.token, status, body, c.want)
		}
	}
	if status, _ := open.get("/access", "", "Origin", "http://evil.example"); status != http.StatusForbidden {
		t.Errorf("a page of another site got status %d", status)
	}
}
