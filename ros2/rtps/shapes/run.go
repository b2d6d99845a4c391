// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// Config configures Run.
type Config struct {
	// Options are those of the command line. They are required; see ParseArgs.
	Options Options
	// Out gets the lines that the suite reads. It defaults to discarding.
	Out io.Writer
	// Network opens the participant's sockets. It defaults to UDP.
	Network udp.Network
	// Logger is the participant's logger. It defaults to discarding.
	Logger *slog.Logger
	// Seed determines where shapes start and how they move. It defaults to a random one.
	Seed uint64
}

// Run publishes or subscribes until the context ends or the iterations are done, and then closes the participant. The
// error wraps those of package rtps.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Out == nil {
		cfg.Out = io.Discard
	}
	if cfg.Seed == 0 {
		cfg.Seed = rand.Uint64()
	}
	o := &cfg.Options
	p, err := rtps.NewParticipant(rtps.Config{
		DomainID: o.Domain, Name: "shape_main", Network: cfg.Network, Logger: cfg.Logger, AnnouncePeriod: o.Announce,
	})
	if err != nil {
		return fmt.Errorf("participant in domain %d: %w", o.Domain, err)
	}
	defer func() { _ = p.Close() }()
	out := &report{out: cfg.Out}
	for i := range o.Topics {
		out.linef("Create topic: %s", o.topic(i))
	}
	if o.Publish {
		return publish(ctx, p, o, out, cfg.Seed)
	}
	return subscribe(ctx, p, o, out)
}

// topic returns the name of topic number i.
func (o *Options) topic(i int) string { return numbered(o.Topic, i) }

// color returns the colour of instance number i.
func (o *Options) color(i int) string { return numbered(o.Color, i) }

// numbered adds a number to all names but the first.
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return name + strconv.Itoa(i)
}
