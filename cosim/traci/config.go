// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Config is what a server is made of.
type Config struct {
	// Simulation is the world that runs, World its description. Both are required.
	Simulation *sim.Simulation
	World      *sim.World
	// Network is a SUMO network in the world's plane, whose speed limits clients may change. It defaults to none: then
	// the world is one edge of its name.
	Network *lanes.Net
	// Address is where the server listens, host:port. It defaults to defaultAddress. One that is not the loopback's
	// needs Allow.
	Address string
	// Allow are the networks whose clients may connect, in addition to this machine.
	Allow []netip.Prefix
	// Clients is how many clients there must be before time begins, at most 64. It defaults to 1. Several say their
	// order first.
	Clients int
	// Step is how far time goes in a step, a positive multiple of 10 ms. It defaults to 100 ms.
	Step time.Duration
	// Timeout is after how long a client that keeps the others waiting is disconnected. It defaults to 0, no limit.
	Timeout time.Duration
	// Absence is how long a client whose connection has ended without its closing may take to come again when no other
	// is connected, of the machine's time; then Run ends with ErrGone. It defaults to 30 s; below 0 there is no limit.
	Absence time.Duration
	// Stall is how long the rest of a message may take, and an answer to be taken. It defaults to 10 s.
	Stall time.Duration
	// Like is the robot that new ones are like. It defaults to the world's first.
	Like *world.Robot
	// Added is called when a client's robot has been added to the world, Removed before one is removed. Both default to
	// nothing.
	Added   func(m sim.Robot) error
	Removed func(name string) error
	// Logger hears of clients that come, go and are sent away. It defaults to silence.
	Logger *slog.Logger
}

const (
	// tick is how far the world goes at once.
	tick = 10 * time.Millisecond
	// maxClients bounds how many clients there can be.
	maxClients = 64
	// defaultStall is the default of Config.Stall.
	defaultStall = 10 * time.Second
	// defaultAbsence is the default of Config.Absence.
	defaultAbsence = 30 * time.Second
)

// complete fills in the defaults and says what can't be.
func (c *Config) complete() error {
	if c.Simulation == nil || c.World == nil || len(c.World.Robots) == 0 {
		return fmt.Errorf("%w: no world with a robot", errConfig)
	}
	if c.Address == "" {
		c.Address = defaultAddress
	}
	if c.Clients == 0 {
		c.Clients = 1
	}
	if c.Step == 0 {
		c.Step = 100 * time.Millisecond
	}
	if c.Stall <= 0 {
		c.Stall = defaultStall
	}
	if c.Absence == 0 {
		c.Absence = defaultAbsence
	}
	if c.Like == nil {
		c.Like = &c.World.Robots[0]
	}
	if c.Added == nil {
		c.Added = func(sim.Robot) error { return nil }
	}
	if c.Removed == nil {
		c.Removed = func(string) error { return nil }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clients < 1 || c.Clients > maxClients {
		return fmt.Errorf("%w: %d clients, must be 1 to %d", errConfig, c.Clients, maxClients)
	}
	if c.Step < 0 || c.Step%tick != 0 || c.Timeout < 0 {
		return fmt.Errorf("%w: steps of %v, must be a multiple of %v; timeout %v", errConfig, c.Step, tick, c.Timeout)
	}
	return c.checkAddress()
}

// checkAddress refuses addresses that other machines can reach, unless they are allowed.
func (c *Config) checkAddress() error {
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return fmt.Errorf("%w %q: %w", errAddress, c.Address, err)
	}
	if host == "localhost" || len(c.Allow) > 0 {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return fmt.Errorf("%w %q: an address of other machines needs a list of allowed networks", errAddress, c.Address)
	}
	return nil
}

// allowed reports whether a client may connect from an address.
func (c *Config) allowed(remote net.Addr) bool {
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return false
	}
	ip := at.Addr().Unmap()
	if ip.IsLoopback() {
		return true
	}
	for _, p := range c.Allow {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}
