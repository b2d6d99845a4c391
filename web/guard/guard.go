// SPDX-License-Identifier: Apache-2.0

// Package guard authorises viewing and driving a robot: tokens, and the checks of Host and Origin that keep
// foreign pages in a user's browser from doing either in their name.
package guard

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Role is what a request may do.
type Role uint8

// Roles, each with the rights of those before.
const (
	// None may fetch the page, which shows nothing by itself.
	None Role = iota
	// View may look.
	View
	// Drive may drive, set parameters and call services.
	Drive
)

// String returns "none", "view" or "drive".
func (r Role) String() string { return [...]string{"none", "view", "drive"}[min(r, Drive)] }

// Reasons to refuse a request. Test for them with errors.Is.
var (
	// errHost is matched when the request names a host that is not this machine, as after DNS rebinding.
	errHost = errors.New("guard: not a name of this machine")
	// errOrigin is matched when a page of another site asks without a token.
	errOrigin = errors.New("guard: page of another site")
	// ErrToken is matched when a token is missing or wrong.
	ErrToken = errors.New("guard: no valid token")
)

// Config describes a [Guard].
type Config struct {
	// Tokens are asked for; nil gives every request of this machine's own pages and programs the role Drive.
	Tokens *Tokens
	// Hosts are names of this machine besides localhost, its host name, that with ".local", and every IP address.
	Hosts []string
	// Origins are sites whose pages may ask without a token, as in "https://app.foxglove.dev".
	Origins []string
}

// Guard checks requests. It is safe for concurrent use.
type Guard struct {
	tokens  *Tokens
	hosts   []string
	origins []string
}

// New returns a guard.
func New(cfg Config) *Guard {
	g := &Guard{tokens: cfg.Tokens, origins: cfg.Origins, hosts: []string{"localhost"}}
	if name, err := os.Hostname(); err == nil && name != "" {
		g.hosts = append(g.hosts, strings.ToLower(name), strings.ToLower(name)+".local")
	}
	for _, h := range cfg.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	return g
}

// CheckHost refuses a request whose Host is a name that others control. Addresses are what they say; names may have
// been pointed here by their owner.
func (g *Guard) CheckHost(r *http.Request) error {
	host := hostOnly(r.Host)
	if _, err := netip.ParseAddr(host); err == nil || slices.Contains(g.hosts, host) {
		return nil
	}
	return fmt.Errorf("%w: Host %q", errHost, clip(r.Host))
}

// Check returns what a request may do. It fails if Host is a name that is not this machine's, with [ErrToken] if the
// token is missing or wrong, or if a page of another site sent the request without a token. The error names Host or
// Origin, not the token.
func (g *Guard) Check(r *http.Request) (Role, error) {
	if err := g.CheckHost(r); err != nil {
		return None, err
	}
	role, remembered := Drive, true
	if g.tokens != nil {
		var token string
		token, remembered = credential(r)
		if role = g.tokens.role(token); role == None {
			return None, ErrToken
		}
	}
	if !remembered { // a page that sends a token itself was given it
		return role, nil
	}
	if err := g.checkOrigin(r); err != nil {
		return None, err
	}
	return role, nil
}

// checkOrigin refuses what a page of another site makes a browser ask.
func (g *Guard) checkOrigin(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" {
		switch r.Header.Get("Sec-Fetch-Site") {
		case "cross-site", "same-site": // an image or a script of another page; those carry no Origin
			return fmt.Errorf("%w: Sec-Fetch-Site", errOrigin)
		}
		return nil
	}
	if slices.Contains(g.origins, origin) {
		return nil
	}
	if !sameSite(origin, r) {
		return fmt.Errorf("%w: Origin %q", errOrigin, clip(origin))
	}
	return nil
}

// sameSite reports whether an origin has the host and the port that a request was sent to.
func sameSite(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || hostOnly(u.Host) != hostOnly(r.Host) {
		return false
	}
	port := "80"
	if r.TLS != nil {
		port = "443"
	}
	if _, p, err := net.SplitHostPort(r.Host); err == nil {
		port = p
	}
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]) == port
}

// hostOnly returns the host of "host:port", in small letters and without the brackets of IPv6.
func hostOnly(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// clip shortens what a stranger sent, for messages.
func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
