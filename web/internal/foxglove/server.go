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
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// Config is the configuration of a [Server].
type Config struct {
	// Hub is the network, Arbiter decides which client drives. Both are required.
	Hub     *hub.Hub
	Arbiter *teleop.Arbiter
	// Name is shown to clients. It defaults to "epuck-driver".
	Name string
	// Distro is the ROS distribution in serverInfo. It defaults to "jazzy".
	Distro string
	// Domain is the ROS domain in serverInfo, for people who look for a robot.
	Domain string
	// Asset returns the content of a URI, for meshes of a robot's description. It defaults to nothing.
	Asset func(uri string) ([]byte, error)
	// Live answers an offer (SDP) of a connection for live video; it ends with ctx. It defaults to nothing: clients
	// take JPEG. LiveRobot is the namespace of the robot that it shows.
	Live      func(ctx context.Context, offer string) (answer string, err error)
	LiveRobot string
	// Playback is the recording that is played on the network. It defaults to none.
	Playback Playback
	// Feed has channels that are not topics of ROS. It defaults to none.
	Feed *Feed
	// Queue bounds the data queued for a client, in bytes. It defaults to [outbox.Limit].
	Queue int
	// Logger receives a line for each client that is disconnected because of an error. It defaults to none.
	Logger *slog.Logger
}

// Server serves clients. It is safe for concurrent use and owns nothing.
type Server struct {
	cfg Config
	ids idBook
}

// New returns a server. An error matches [hub.ErrConfig].
func New(cfg Config) (*Server, error) {
	if cfg.Hub == nil || cfg.Arbiter == nil {
		return nil, fmt.Errorf("%w: foxglove.Config needs Hub and Arbiter", hub.ErrConfig)
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

// idBook assigns ids to channels and services: equal keys keep their id, no id is reused.
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

// Serve serves one client with the rights of role until it disconnects, violates the protocol or ctx ends. who is the
// client's name as a driver, which all clients see.
func (s *Server) Serve(ctx context.Context, conn *socket.Conn, role guard.Role, who string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &client{
		server: s, hub: s.cfg.Hub, role: role, box: outbox.New(s.cfg.Queue), driver: &teleop.Driver{Name: who}, ctx: ctx,
		news: make(chan struct{}, 1), page: conn.Subprotocol() == PageProtocol, calls: make(chan struct{}, maxCalls),
		events: make(chan []byte, maxEvents), begun: time.Now(),
	}
	defer c.end()
	if err := c.welcome(); err != nil {
		return err
	}
	stopGraph := s.cfg.Hub.Watch(c.wake)
	defer stopGraph()
	stopFeed := s.cfg.Feed.watch(c.wake)
	defer stopFeed()
	stopArbiter := s.cfg.Arbiter.Watch(c.wake)
	defer stopArbiter()
	c.wg.Go("web viewer, news", c.sendChanges)
	if s.cfg.Playback != nil {
		c.wg.Go("web viewer, playback", c.sendPlayback)
	}
	c.wake()
	conn.OnTooLong = func(err error) error { return c.status(statusError, err) }
	err := socket.Serve(ctx, conn, c.box, c.handle)
	cancel()
	if errors.Is(err, outbox.ErrFull) {
		s.cfg.Logger.Warn("a viewer that does not read is cut off", slog.String("viewer", who))
	}
	return err
}
