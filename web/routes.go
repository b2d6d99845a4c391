// SPDX-License-Identifier: Apache-2.0

package web

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
	"github.com/epuck-ros2/epuck-driver/web/internal/page"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
)

// policy is the Content-Security-Policy of the page: content from this server only, no embedding in other sites.
const policy = "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; media-src 'self' blob: mediastream:; " +
	"style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// routes returns the handler of all paths.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	files := page.Handler()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if isWebSocket(r) { // Foxglove's default path
			s.view(w, r, s.serveFoxglove)
			return
		}
		files.ServeHTTP(w, r)
	})
	mux.Handle("GET /", files)
	mux.HandleFunc("GET /ws", func(w http.ResponseWriter, r *http.Request) { s.view(w, r, s.serveFoxglove) })
	mux.HandleFunc("GET /rosbridge", func(w http.ResponseWriter, r *http.Request) { s.view(w, r, s.serveRosbridge) })
	mux.HandleFunc("GET /stream.mjpg", func(w http.ResponseWriter, r *http.Request) { s.view(w, r, s.serveStream) })
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("GET /access", s.serveAccess)
	return s.shielded(mux)
}

func isWebSocket(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// shielded rejects requests for unknown hosts and sets the security headers.
func (s *Server) shielded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mark(r, answering)
		defer s.mark(r, waiting)
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if err := s.guard.CheckHost(r); err != nil {
			s.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func clip(s string) string {
	if len(s) > 100 {
		return s[:100]
	}
	return s
}

// view serves a viewer with the required rights, up to maxViewers at once. The handler runs until the viewer
// disconnects.
func (s *Server) view(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter, *http.Request, guard.Role)) {
	role, err := s.guard.Check(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.mark(r, authorised)
	if n := s.viewers.Add(1); n > maxViewers {
		s.viewers.Add(-1)
		http.Error(w, "web: too many viewers", http.StatusServiceUnavailable)
		return
	}
	defer s.viewers.Add(-1)
	s.wg.Add(1)
	defer s.wg.Done()
	serve(w, r, role)
}

func (s *Server) serveFoxglove(w http.ResponseWriter, r *http.Request, role guard.Role) {
	conn, err := socket.Accept(w, r, websocket.AcceptOptions{
		Subprotocols: foxglove.Protocols(), InsecureSkipVerify: true, // package guard checks Origin
	})
	if err != nil {
		return // Accept has sent the response
	}
	if conn.Subprotocol() == "" {
		_ = conn.Close(websocket.StatusPolicyViolation, "want the sub-protocol "+foxglove.Protocol)
		return
	}
	if err := s.foxglove.Serve(s.ctx, conn, role, viewerName(r)); err != nil {
		s.cfg.Logger.Debug("viewer cut off", slog.String("from", r.RemoteAddr), slog.Any("error", err))
	}
}

func (s *Server) serveRosbridge(w http.ResponseWriter, r *http.Request, role guard.Role) {
	// package guard checks Origin
	conn, err := socket.Accept(w, r, websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has sent the response
	}
	if err := s.bridge.Serve(s.ctx, conn, role, viewerName(r)); err != nil {
		s.cfg.Logger.Debug("viewer cut off", slog.String("from", r.RemoteAddr), slog.Any("error", err))
	}
}

// viewerName is the name of a viewer that other viewers see.
func viewerName(r *http.Request) string {
	host := r.RemoteAddr
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	agent := "viewer"
	for _, known := range []string{"Firefox", "Edg", "Chrome", "Safari", "Foxglove", "Lichtblick", "node"} {
		if strings.Contains(r.UserAgent(), known) {
			agent = known
			break
		}
	}
	return agent + " at " + strings.Trim(host, "[]")
}
