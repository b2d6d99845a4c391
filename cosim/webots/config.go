// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// Config is what a server is made of.
type Config struct {
	// Simulation is the world that runs. It is required. Its e-puck2 robots of the functional level take controllers,
	// and those by their descriptions (package machine).
	Simulation *sim.Simulation
	// World is its name, for controllers that ask. It may be empty.
	World string
	// Address is where the server listens, host:port. It defaults to defaultAddress. One that is not the loopback's
	// needs Allow.
	Address string
	// Allow are the networks whose controllers may connect, in addition to this machine.
	Allow []netip.Prefix
	// Folder is the folder for temporary files in which controllers of this machine look for their sockets. It defaults
	// to "": there are none, and all controllers come over TCP.
	Folder string
	// User is whose controllers look there. It defaults to "default", as theirs does.
	User string
	// Release is what the controllers' libController is of. It defaults to the latest that is known. Those that come by
	// a socket of R2023a are of R2023a.
	Release wire.Release
	// BasicStep is the world's basic time step that controllers receive, whole milliseconds up to a minute. It
	// defaults to 32 ms, Webots' own. They may ask for any other.
	BasicStep time.Duration
	// Controllers is how many there must be before time begins. It defaults to 1.
	Controllers int
	// Timeout is after how long a controller that keeps the others waiting is disconnected. It defaults to 0, no limit.
	Timeout time.Duration
	// Absence is how long the world waits, when all controllers are gone and one of them did not end by itself, for
	// one to connect, of the machine's time; then Run ends with [ErrGone]. It defaults to 30 s; below 0 is no limit.
	Absence time.Duration
	// Stall is how long the rest of a request may take, and an answer to be taken. It defaults to 10 s.
	Stall time.Duration
	// CameraWidth and CameraHeight are the size of an e-puck2's pictures, pixels, at most the camera's. They default
	// to 52 × 39, as in E-puck.proto.
	CameraWidth, CameraHeight int
	// Logger hears of controllers that come, go and are sent away, what they print for Webots' console, and of what
	// they want that there is not. It defaults to silence.
	Logger *slog.Logger
}

const (
	// defaultAddress is where the server listens: Webots' usual port, on this machine alone.
	defaultAddress = "127.0.0.1:1234"
	// tick is how far the world goes at once.
	tick = 10 * time.Millisecond
	// defaultStall is the default of Config.Stall.
	defaultStall = 10 * time.Second
	// defaultAbsence is the default of Config.Absence.
	defaultAbsence = 30 * time.Second
	// maxControllers bounds Config.Controllers.
	maxControllers = 10000
	// maxStep bounds Config.BasicStep.
	maxStep = time.Minute
)

// complete fills in the defaults and says what can't be.
func (c *Config) complete() error {
	if c.Simulation == nil || len(drivable(c.Simulation)) == 0 {
		return fmt.Errorf("%w: no robot of the functional level, and none by a description", errConfig)
	}
	if c.Address == "" {
		c.Address = defaultAddress
	}
	if c.User == "" {
		c.User = "default"
	}
	if c.Release == (wire.Release{}) {
		c.Release = wire.Latest()
	}
	if c.BasicStep == 0 {
		c.BasicStep = 32 * time.Millisecond
	}
	if c.Controllers == 0 {
		c.Controllers = 1
	}
	if c.Absence == 0 {
		c.Absence = defaultAbsence
	}
	if c.Stall <= 0 {
		c.Stall = defaultStall
	}
	if c.CameraWidth == 0 && c.CameraHeight == 0 {
		c.CameraWidth, c.CameraHeight = 52, 39
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c.check()
}

// check says what can't be.
func (c *Config) check() error {
	switch {
	case c.Controllers < 1 || c.Controllers > maxControllers:
		return fmt.Errorf("%w: %d controllers, must be 1 to %d", errConfig, c.Controllers, maxControllers)
	case c.BasicStep < time.Millisecond || c.BasicStep > maxStep || c.BasicStep%time.Millisecond != 0:
		return fmt.Errorf("%w: basic step %v, must be whole milliseconds up to %v", errConfig, c.BasicStep, maxStep)
	case c.Timeout < 0:
		return fmt.Errorf("%w: timeout %v", errConfig, c.Timeout)
	case c.CameraWidth < 1 || c.CameraWidth > vcamera.Width || c.CameraHeight < 1 || c.CameraHeight > vcamera.Height:
		return fmt.Errorf("%w: pictures of %d×%d, must be 1×1 to %d×%d", errConfig, c.CameraWidth, c.CameraHeight, vcamera.Width, vcamera.Height)
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

// allowed reports whether a controller may connect from an address.
func (c *Config) allowed(remote net.Addr) bool {
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return false
	}
	ip := at.Addr().Unmap()
	for _, p := range c.Allow {
		if p.Contains(ip) {
			return true
		}
	}
	return ip.IsLoopback()
}
