// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/guard"
)

const (
	// refusalInterval is the least time between two log lines about the same address.
	refusalInterval = 10 * time.Minute
	// maxRefusals bounds the addresses that are remembered, and so the log lines in refusalInterval.
	maxRefusals = 64
)

// refusals remembers about which addresses a log line was written.
type refusals struct {
	mu     sync.Mutex
	logged map[netip.Addr]time.Time
}

// due reports whether a line about an address is to be logged now.
func (l *refusals) due(a netip.Addr, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for a, t := range l.logged {
		if now.Sub(t) >= refusalInterval {
			delete(l.logged, a)
		}
	}
	if _, recently := l.logged[a]; recently || len(l.logged) >= maxRefusals {
		return false
	}
	if l.logged == nil {
		l.logged = map[netip.Addr]time.Time{}
	}
	l.logged[a] = now
	return true
}

// refuse answers a request that is not permitted.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	s.noteRefusal(r, err)
	status := http.StatusForbidden
	if errors.Is(err, guard.ErrToken) {
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", `Basic realm="epuck-driver", charset="UTF-8"`)
	}
	http.Error(w, err.Error(), status)
}

// noteRefusal counts a refused request. One without a valid token is logged once per address and refusalInterval,
// without the token and without the path, which may contain it.
func (s *Server) noteRefusal(r *http.Request, err error) {
	s.refused.Add(1)
	if !errors.Is(err, guard.ErrToken) {
		s.cfg.Logger.Debug("request refused", slog.String("from", r.RemoteAddr), slog.String("path", clip(r.URL.Path)), slog.Any("error", err))
		return
	}
	from, bad := netip.ParseAddrPort(r.RemoteAddr)
	if bad != nil || !s.refusals.due(clientAddress(from.Addr()), time.Now()) {
		return
	}
	s.cfg.Logger.Warn("a viewer without a valid token is refused", slog.String("from", from.Addr().String()),
		slog.String("token", tokenState(r, err)), slog.String("valid tokens", s.cfg.TokenFile))
}

// tokenState returns the state of a request's token: "missing" or "wrong"; "valid" without an error.
func tokenState(r *http.Request, err error) string {
	switch {
	case err == nil:
		return "valid"
	case guard.TokenOf(r) == "":
		return "missing"
	default:
		return "wrong"
	}
}
