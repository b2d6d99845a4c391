// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/helm"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
)

// Config describes a [Server].
type Config struct {
	// Hub is the network and Helm who drives. Both are required.
	Hub  *hub.Hub
	Helm *helm.Helm
	// Name is shown to clients. It defaults to "epuck-driver".
	Name string
	// Distro is the ROS distribution that is told. It defaults to "jazzy".
	Distro string
	// Asset returns what a URI names, for meshes of a robot's description. It defaults to nothing.
	Asset func(uri string) ([]byte, error)
	// Live answers an offer (SDP) of a connection for live video; it ends with ctx. It defaults to nothing: clients
	// take JPEG. LiveRobot is the namespace of the robot that it shows.
	Live      func(ctx context.Context, offer string) (answer string, err error)
	LiveRobot string
	// Playback is the recording that is played on the network. It defaults to none.
	Playback Playback
	// Queue bounds what waits for a client, in bytes. It defaults to [outbox.Limit].
	Queue int
	// Logger hears of clients that are cut off. It defaults to silence.
	Logger *slog.Logger
}

// Server serves clients. It is safe for concurrent use and owns nothing.
type Server struct {
	cfg Config
	ids idBook
}

// New returns a server. An error matches [hub.ErrConfig].
func New(cfg Config) (*Server, error) {
	if cfg.Hub == nil || cfg.Helm == nil {
		return nil, fmt.Errorf("%w: foxglove.Config wants Hub and Helm", hub.ErrConfig)
	}
	if cfg.Name == "" {
		cfg.Name = "epuck-driver"
	}
	if cfg.Distro == "" {
		cfg.Distro = "jazzy"
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Server{cfg: cfg}, nil
}

// idBook numbers channels and services: what is the same keeps its number, no number is used twice.
type idBook struct {
	mu   sync.Mutex
	last uint32
	ids  map[string]uint32
}

func (b *idBook) id(key string) uint32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id, ok := b.ids[key]; ok {
		return id
	}
	if b.ids == nil {
		b.ids = map[string]uint32{}
	}
	b.last++
	b.ids[key] = b.last
	return b.last
}

// Serve serves one client with the rights of role until it leaves, breaks the protocol or ctx ends. who is the client
// in the eyes of others: the name of the driver is shown to all.
func (s *Server) Serve(ctx context.Context, conn *socket.Conn, role guard.Role, who string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &client{
		server: s, hub: s.cfg.Hub, role: role, box: outbox.New(s.cfg.Queue), driver: &helm.Driver{Name: who}, ctx: ctx,
		news: make(chan struct{}, 1), page: conn.Subprotocol() == PageProtocol, calls: make(chan struct{}, maxCalls),
		events: make(chan []byte, maxEvents), begun: time.Now(),
	}
	defer c.end()
	if err := c.welcome(); err != nil {
		return err
	}
	stopGraph := s.cfg.Hub.Watch(c.wake)
	defer stopGraph()
	stopHelm := s.cfg.Helm.Watch(c.wake)
	defer stopHelm()
	c.wg.Go("web viewer, news", c.tellNews)
	if s.cfg.Playback != nil {
		c.wg.Go("web viewer, playback", c.tellPlayback)
	}
	c.wake()
	err := socket.Serve(ctx, conn, c.box, c.handle)
	cancel()
	if errors.Is(err, outbox.ErrFull) {
		s.cfg.Logger.Warn("a viewer that does not read is cut off", slog.String("viewer", who))
	}
	return err
}
