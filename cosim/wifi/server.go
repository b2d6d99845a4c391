// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// defaultAddress is where the first robot listens: on this machine alone, and not on the real robot's port 1000, which
// needs root.
const defaultAddress = "127.0.0.1:10000"

// errConfig is matched when a [Config] makes no sense.
var errConfig = errors.New("cosim/wifi: bad configuration")

// Config is what a server is made of.
type Config struct {
	// Simulation is the world. Its robots of the functional level are served; no other program may drive them.
	Simulation *sim.Simulation
	// Address is where the first robot listens, HOST:PORT with an address of this machine; the others take the ports
	// behind it. Port 0 lets the machine choose all of them. It defaults to defaultAddress.
	Address string
	// Logger hears of clients that come and go. It defaults to silence.
	Logger *slog.Logger
}

// Server lets clients drive the robots of a world.
type Server struct {
	robots []served
	log    *slog.Logger
}

// served is one robot with its port.
type served struct {
	name     string
	radio    *Radio
	listener net.Listener
}

// New listens for all robots. The caller closes the server.
func New(cfg Config) (*Server, error) {
	if cfg.Simulation == nil {
		return nil, fmt.Errorf("%w: no simulation", errConfig)
	}
	if cfg.Address == "" {
		cfg.Address = defaultAddress
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	robots := sim.RobotsOf[Controlled](cfg.Simulation)
	first, err := netip.ParseAddrPort(cfg.Address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: address %q: %w", errConfig, cfg.Address, err)
	case len(robots) == 0:
		return nil, fmt.Errorf("%w: no robot of the functional level", errConfig)
	case int(first.Port())+len(robots)-1 > 65535:
		return nil, fmt.Errorf("%w: %d robots from port %d on", errConfig, len(robots), first.Port())
	}
	s := &Server{log: cfg.Logger}
	for i, a := range robots {
		port := first.Port()
		if port != 0 {
			port += uint16(i)
		}
		if err := s.add(a, netip.AddrPortFrom(first.Addr(), port)); err != nil {
			return nil, errors.Join(fmt.Errorf("cosim/wifi: robot %q: %w", a.Name(), err), s.Close())
		}
	}
	return s, nil
}

func (s *Server) add(a Controlled, at netip.AddrPort) error {
	radio, err := NewRadio(a)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", at.String())
	if err != nil {
		return err
	}
	s.robots = append(s.robots, served{a.Name(), radio, l})
	return nil
}

// Robot is where a robot listens.
type Robot struct {
	Name string
	Addr net.Addr
}

// Robots lists the robots in the order of the world.
func (s *Server) Robots() []Robot {
	all := make([]Robot, len(s.robots))
	for i, r := range s.robots {
		all[i] = Robot{r.name, r.listener.Addr()}
	}
	return all
}

// Close stops listening.
func (s *Server) Close() error {
	var errs []error
	for _, r := range s.robots {
		if err := r.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Run serves the robots until ctx ends. One goroutine calls it, once. The wheels stay as they are.
func (s *Server) Run(ctx context.Context) error {
	var group task.Group
	for _, r := range s.robots {
		group.Go("wifi robot", func() { r.acceptClients(ctx, s.log) })
	}
	<-ctx.Done()
	err := s.Close()
	group.Wait()
	return err
}

// acceptClients serves one client after the other.
func (r *served) acceptClients(ctx context.Context, log *slog.Logger) {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			if ctx.Err() == nil {
				log.Error("a robot can't be reached any more", "robot", r.name, "error", err)
			}
			return
		}
		log.Info("a client drives the robot", "robot", r.name, "client", conn.RemoteAddr().String())
		r.radio.Serve(ctx, conn)
		log.Info("the client is gone; the wheels keep their speed, as the real robot's", "robot", r.name)
	}
}
