// SPDX-License-Identifier: Apache-2.0

package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/metrics"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosbridge"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// Limits of requests.
const (
	headerTime  = 5 * time.Second  // for the head of a request: slow heads hold connections
	requestTime = 10 * time.Second // for all of it; they have no bodies
	idleTime    = 30 * time.Second
	maxHeader   = 8 << 10
	closeTime   = 2 * time.Second
	// maxViewers is the number of concurrent WebSockets and streams.
	maxViewers = 16
)

// Server serves a ROS network to viewers. Close ends it; call it before closing the transport.
type Server struct {
	cfg      Config
	hub      *hub.Hub
	arbiter  *teleop.Arbiter
	foxglove *foxglove.Server
	bridge   *rosbridge.Server
	limited  *limitedListener

	diagnostics *metrics.Diagnostics

	guard    *guard.Guard
	tokens   *guard.Tokens
	secure   bool
	listener net.Listener
	http     *http.Server

	ctx     context.Context // of all viewers
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	viewers atomic.Int32
	refused atomic.Uint64

	refusals refusals
}

// New listens and joins the network. Requests are answered once Serve runs. It fails if a field of cfg is missing or
// impossible (the error names it), as [guard.LoadTokens] does, or with the error of the system or of the network.
func New(cfg Config) (*Server, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if cfg.TokenFile != "" {
		tokens, err := guard.LoadTokens(cfg.TokenFile)
		if err != nil {
			return nil, err
		}
		s.tokens = tokens
	}
	s.guard = guard.New(guard.Config{Tokens: s.tokens, Hosts: cfg.Hosts, Origins: cfg.Origins})
	if err := s.listen(); err != nil {
		return nil, err
	}
	if err := s.join(); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.http = &http.Server{
		Handler: s.routes(), ReadHeaderTimeout: cmp.Or(cfg.headTime, headerTime), ReadTimeout: requestTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(quiet{cfg.Logger}, "", 0), BaseContext: func(net.Listener) context.Context { return s.ctx },
		ConnContext:  withConnection,
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // no HTTP/2: WebSockets need HTTP/1.1
	}
	return s, nil
}

// quiet logs protocol errors of clients at debug level.
type quiet struct{ log *slog.Logger }

func (q quiet) Write(p []byte) (int, error) {
	q.log.Debug("http", slog.String("error", string(p)))
	return len(p), nil
}

// join makes the node and the viewers' protocol servers.
func (s *Server) join() (err error) {
	s.hub, err = hub.New(hub.Config{Transport: s.cfg.Transport, Node: s.cfg.Node, Types: s.cfg.Types, Logger: s.cfg.Logger})
	if err != nil {
		return err
	}
	if err := s.hub.Keep("/rosout", "rcl_interfaces/msg/Log"); err != nil { // the log's history: nodes keep 10 s of it
		return errors.Join(err, s.hub.Close())
	}
	s.arbiter = teleop.New(teleop.Config{Open: teleop.OnHub(s.hub), Timeout: s.cfg.DriveTimeout, Logger: s.cfg.Logger})
	s.foxglove, err = foxglove.New(foxglove.Config{
		Hub: s.hub, Arbiter: s.arbiter, Distro: s.cfg.Distro, Domain: s.cfg.Domain, Asset: s.cfg.Asset, Live: s.cfg.Live, LiveRobot: s.cfg.LiveRobot, Playback: s.cfg.Playback, Feed: s.cfg.Feed, Logger: s.cfg.Logger,
	})
	if err != nil {
		return errors.Join(err, s.hub.Close())
	}
	s.bridge = rosbridge.New(s.hub, s.arbiter, 0)
	s.diagnostics = metrics.NewDiagnostics(s.hub)
	return nil
}

func (s *Server) listen() error {
	var how net.ListenConfig
	l, err := how.Listen(context.Background(), networkOf(s.cfg.Address), s.cfg.Address)
	if err != nil {
		return fmt.Errorf("web: %w", err)
	}
	s.limited = &limitedListener{Listener: l}
	s.listener = s.limited
	if s.cfg.CertificateFile == "" {
		return nil
	}
	certificate, err := guard.LoadCertificate(s.cfg.CertificateFile, append(names(), s.cfg.Hosts...), time.Now())
	if err != nil {
		return errors.Join(fmt.Errorf("web: %w", err), l.Close())
	}
	s.secure = true
	s.listener = tls.NewListener(s.listener, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	return nil
}

// names returns the names for a certificate of this machine.
func names() []string {
	list := []string{"localhost", "127.0.0.1", "::1"}
	if host, err := os.Hostname(); err == nil {
		list = append(list, host, host+".local")
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return list
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			list = append(list, ip.IP.String())
		}
	}
	return list
}

// Serve serves until ctx ends, and closes the server.
func (s *Server) Serve(ctx context.Context) error {
	stop := task.AfterDone(ctx, "web, closing", func() { _ = s.Close() }) // Serve returns what Close does
	defer stop()
	err := s.http.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, s.Close())
}

// Close stops robots driven by viewers, disconnects the viewers and leaves the network. It may be called more than
// once.
func (s *Server) Close() error {
	s.arbiter.Close()
	s.cancel()
	limit, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := s.http.Shutdown(limit)
	if errors.Is(err, context.DeadlineExceeded) { // a request that hangs
		err = s.http.Close()
	}
	_ = s.listener.Close() // needed if Serve has not run; otherwise it is closed already
	s.wg.Wait()
	s.diagnostics.Close()
	return errors.Join(err, s.hub.Close())
}

// Stats are the server's current counters.
type Stats struct {
	// Viewers are connected now; Refused requests were not permitted.
	Viewers int
	Refused uint64
	// Subscriptions and Publications are topics of the network that viewers receive or publish now.
	Subscriptions, Publications int
	// Published counts the messages that viewers sent.
	Published uint64
}

// Stats returns the server's counters.
func (s *Server) Stats() Stats {
	h := s.hub.Stats()
	return Stats{
		Viewers: int(s.viewers.Load()), Refused: s.refused.Load(), Subscriptions: h.Subscriptions, Publications: h.Publications,
		Published: h.Published,
	}
}

// Address returns where the server listens.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// NeedsToken reports whether viewers need a token.
func (s *Server) NeedsToken() bool { return s.tokens != nil }

// TokenFile returns the file that holds the tokens, empty if none are needed.
func (s *Server) TokenFile() string { return s.cfg.TokenFile }

// URL returns the page's URL for a browser on this machine, or on another one if the server listens there. If there
// are tokens, its fragment, which browsers do not send, has the token of the role; that of [guard.None] has none.
func (s *Server) URL(role guard.Role) string {
	host, _, err := net.SplitHostPort(s.cfg.Address)
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = outside()
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	if s.secure {
		u.Scheme = "https"
	}
	switch {
	case s.tokens == nil:
	case role == guard.Drive:
		u.Fragment = s.tokens.Drive
	case role == guard.View:
		u.Fragment = s.tokens.View
	}
	return u.String()
}

// outside returns an address of this machine that other machines can reach.
func outside() string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "localhost"
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	return "localhost"
}
