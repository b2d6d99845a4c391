// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// Config is the configuration of a robot.
type Config struct {
	// Address is the robot's, HOST or HOST:PORT. It is required.
	Address string
	// Dial connects; ctx ends the attempt. It defaults to TCP.
	Dial func(ctx context.Context, address string) (net.Conn, error)
	// Now is the clock. It defaults to time.Now.
	Now func() time.Time
	// Logger receives a line when the robot is reached and lost. It defaults to none.
	Logger *slog.Logger
}

// Robot is a robot over Wi-Fi. Its goroutines run from New to Close.
type Robot struct {
	cfg    Config
	cancel context.CancelFunc
	group  task.Group
	wake   chan struct{} // capacity 1: there is something to write
	out    []byte        // of the writing goroutine
	state
	processor processor
	wrapped   pi2c.Bus // the main processor's bus as WrapBus has replaced it; nil: it has not
}

// New starts to connect. It does not wait for the robot: until it is connected every transaction fails. New fails if
// the address is missing or is neither HOST nor HOST:PORT; the error names it.
func New(cfg Config) (*Robot, error) {
	if cfg.Address == "" {
		return nil, fmt.Errorf("%w: no address", errConfig)
	}
	address, err := withPort(cfg.Address)
	if err != nil {
		return nil, err
	}
	cfg.Address = address
	if cfg.Dial == nil {
		cfg.Dial = func(ctx context.Context, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address)
		}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Robot{cfg: cfg, cancel: cancel, wake: make(chan struct{}, 1), out: make([]byte, 0, (shots+1)*packet.CommandSize)}
	r.news = make(chan struct{})
	r.once = make([]packet.Command, 0, shots)
	r.want.Request = packet.RequestSensors
	r.group.Go("wifi link", func() { r.run(ctx) })
	return r, nil
}

// withPort completes an address with the robot's port.
func withPort(address string) (string, error) {
	if _, _, err := net.SplitHostPort(address); err == nil {
		return address, nil
	}
	host := strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	if _, err := netip.ParseAddr(host); err != nil && strings.ContainsAny(host, ":[]/ ") {
		return "", fmt.Errorf("%w: address %q: neither HOST nor HOST:PORT", errConfig, address)
	}
	return net.JoinHostPort(host, strconv.Itoa(packet.Port)), nil
}

// Address is the robot's HOST:PORT.
func (r *Robot) Address() string { return r.cfg.Address }

// Bus returns a handle of the robot's bus. Any number of them may be open independently.
func (r *Robot) Bus() pi2c.BusCloser { return &bus{robot: r} }

// Close writes the last command, if it was not sent yet, and closes the connection, within a second. The wheels keep
// the last speeds.
func (r *Robot) Close() error {
	r.cancel()
	r.group.Wait()
	return nil
}
