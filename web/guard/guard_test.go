// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func request(host string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// TestCheck covers each combination of Host, Origin and token.
func TestCheck(t *testing.T) {
	tokens := &Tokens{View: "view-view-view-view", Drive: "drive-drive-drive-drive"}
	open := New(Config{Hosts: []string{"Robot.lab"}, Origins: []string{"https://app.foxglove.dev"}})
	closed := New(Config{Tokens: tokens})
	const site, token = "Origin", "Authorization"
	for _, c := range []struct {
		name  string
		guard *Guard
		r     *http.Request
		role  Role
		err   error
	}{
		{"program on this machine", open, request("localhost:8765"), Drive, nil},
		{"own page", open, request("localhost:8765", site, "http://localhost:8765"), Drive, nil},
		{"own page by IPv6", open, request("[::1]:8765", site, "http://[::1]:8765"), Drive, nil},
		{"configured name", open, request("robot.lab:8765"), Drive, nil},
		{"rebound name", open, request("evil.example:8765"), None, errHost},
		{"rebound name, own origin", open, request("evil.example:8765", site, "http://evil.example:8765"), None, errHost},
		{"name that ends like ours", open, request("localhost.evil.example"), None, errHost},
		{"foreign page", open, request("localhost:8765", site, "http://evil.example"), None, errOrigin},
		{"page of another port", open, request("localhost:8765", site, "http://localhost:3000"), None, errOrigin},
		{"sandboxed page", open, request("localhost:8765", site, "null"), None, errOrigin},
		{"image in a foreign page", open, request("127.0.0.1:8765", "Sec-Fetch-Site", "cross-site"), None, errOrigin},
		{"address bar", open, request("127.0.0.1:8765", "Sec-Fetch-Site", "none"), Drive, nil},
		{"allowed page", open, request("localhost:8765", site, "https://app.foxglove.dev"), Drive, nil},
		{"no token", closed, request("192.0.2.1:8765"), None, ErrToken},
		{"own page, no token", closed, request("192.0.2.1:8765", site, "http://192.0.2.1:8765"), None, ErrToken},
		{"wrong token", closed, request("192.0.2.1:8765", token, "Bearer drive-drive-drive-driv"), None, ErrToken},
		{"empty token", closed, request("192.0.2.1:8765", token, "Bearer "), None, ErrToken},
		{"view", closed, request("192.0.2.1:8765", token, "Bearer "+tokens.View), View, nil},
		{"drive", closed, request("192.0.2.1:8765", token, "Bearer "+tokens.Drive), Drive, nil},
		{"WebSocket", closed, request("192.0.2.1", "Sec-WebSocket-Protocol", "epuck.v1, token."+tokens.Drive), Drive, nil},
		{"foreign page with a token", closed, request("192.0.2.1", site, "https://app.foxglove.dev", token, "Bearer "+tokens.View), View, nil},
		{"rebound name with a token", closed, request("evil.example", token, "Bearer "+tokens.View), None, errHost},
	} {
		role, err := c.guard.Check(c.r)
		if role != c.role || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, role, err, c.role, c.err)
		}
		if err != nil && strings.Contains(err.Error(), "drive-drive") {
			t.Errorf("%s: the error contains the token: %v", c.name, err)
		}
	}
	testRememberedPassword(t, closed, tokens)
	basic := request("192.0.2.1")
	basic.SetBasicAuth("x", tokens.View)
	if role, err := closed.Check(basic); role != View || err != nil {
		t.Error(role, err)
	}
	query := request("192.0.2.1")
	query.URL.RawQuery = "token=" + tokens.Drive
	if _, err := closed.Check(query); !errors.Is(err, ErrToken) {
		t.Error("a token in the query string is taken")
	}
}

// testRememberedPassword: a browser sends the password of Basic also with the requests of pages from other ports of the
// host, so their origin is checked. A token that the page sends itself is not remembered.
func testRememberedPassword(t *testing.T, g *Guard, tokens *Tokens) {
	t.Helper()
	const host, site, fetch, protocol = "robot.local:8765", "Origin", "Sec-Fetch-Site", "Sec-WebSocket-Protocol"
	g = New(Config{Tokens: g.tokens, Hosts: []string{"robot.local"}, Origins: []string{"https://app.foxglove.dev"}})
	basic := func(host string, headers ...string) *http.Request {
		r := request(host, headers...)
		r.SetBasicAuth("x", tokens.Drive)
		return r
	}
	secure := basic("robot.local", site, "https://robot.local")
	secure.TLS = &tls.ConnectionState{}
	for _, c := range []struct {
		name string
		r    *http.Request
		role Role
		err  error
	}{
		{"program", basic(host), Drive, nil},
		{"own page", basic(host, site, "http://robot.local:8765"), Drive, nil},
		{"own page, other case", basic(host, site, "http://Robot.LOCAL:8765"), Drive, nil},
		{"own page at the default port", basic("robot.local", site, "http://robot.local"), Drive, nil},
		{"own page by TLS", secure, Drive, nil},
		{"page of another port", basic(host, site, "http://robot.local:3000"), None, errOrigin},
		{"page of the default port", basic(host, site, "http://robot.local"), None, errOrigin},
		{"page of port 443 at port 80", basic("robot.local", site, "https://robot.local"), None, errOrigin},
		{"page of another host", basic(host, site, "http://evil.example:8765"), None, errOrigin},
		{"sandboxed page", basic(host, site, "null"), None, errOrigin},
		{"image in a page of another port", basic(host, fetch, "same-site"), None, errOrigin},
		{"image in a page of another host", basic(host, fetch, "cross-site"), None, errOrigin},
		{"image in the own page", basic(host, fetch, "same-origin"), Drive, nil},
		{"address bar", basic(host, fetch, "none"), Drive, nil},
		{"allowed page", basic(host, site, "https://app.foxglove.dev"), Drive, nil},
		{"page of another port with the token", basic(host, site, "http://robot.local:3000", protocol, "epuck.v1, token."+tokens.View), View, nil},
		{"page of another port with a wrong token", basic(host, site, "http://robot.local:3000", protocol, "token.wrong"), None, ErrToken},
	} {
		if role, err := g.Check(c.r); role != c.role || !errors.Is(err, c.err) {
			t.Errorf("password of Basic, %s: %v, %v; want %v, %v", c.name, role, err, c.role, c.err)
		}
	}
}

func TestTokensFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "tokens.json")
	made, err := LoadTokens(path)
	if err != nil || len(made.View) < 20 || made.View == made.Drive {
		t.Fatal(made, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if again, err := LoadTokens(path); err != nil || *again != *made {
		t.Error(again, err)
	}
	for name, text := range map[string]string{
		"not JSON": "view", "short": `{"view":"a","drive":"b"}`, "the same": `{"view":"aaaaaaaaaaaaaaaaaaaa","drive":"aaaaaaaaaaaaaaaaaaaa"}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadTokens(path); !errors.Is(err, errTokens) {
			t.Error(name, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadTokens(path); !errors.Is(err, errTokens) || !strings.Contains(err.Error(), "chmod") {
		t.Error(err)
	}
}

func TestCertificateIsMadeOnceAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.pem")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a, err := LoadCertificate(path, []string{"robot.local", "192.0.2.1"}, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Leaf.VerifyHostname("robot.local"); err != nil {
		t.Error(err)
	}
	if err := a.Leaf.VerifyHostname("192.0.2.1"); err != nil {
		t.Error(err)
	}
	b, err := LoadCertificate(path, nil, now)
	if err != nil || !b.Leaf.Equal(a.Leaf) {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
}

func TestQR(t *testing.T) {
	picture, err := QR("http://192.0.2.1:8765/#abcdefghijklmnop")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(picture, "\n"), "\n")
	if len(lines) != 17 || len([]rune(lines[0])) != 33 {
		t.Errorf("%d lines of %d\n%s", len(lines), len([]rune(lines[0])), picture)
	}
}

func FuzzHostOnly(f *testing.F) {
	f.Add("localhost:1", "Bearer x")
	f.Fuzz(func(t *testing.T, host, authorization string) {
		g := New(Config{Tokens: &Tokens{View: "view-view-view-view", Drive: "drive-drive-drive-drive"}})
		role, err := g.Check(request(host, "Authorization", authorization, "Sec-WebSocket-Protocol", authorization))
		if (role == None) != (err != nil) {
			t.Error(role, err)
		}
	})
}
