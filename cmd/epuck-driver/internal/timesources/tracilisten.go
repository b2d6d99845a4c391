// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package timesources

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Listen creates the server; it serves clients while its Run runs.
func (o *TraCI) Listen(w *sim.World, s *sim.Simulation, robots RobotHooks, log *slog.Logger) (Server, error) {
	network, err := o.network()
	if err != nil {
		return nil, err
	}
	server, err := traci.New(traci.Config{
		Simulation: s, World: w, Network: network, Address: o.Address, Allow: o.prefixes, Clients: o.clients, Timeout: o.timeout, Absence: cmp.Or(o.absence, -1),
		Step:  time.Duration(math.Round(o.step*100)) * 10 * time.Millisecond,
		Added: robots.Added, Removed: robots.Removed, Logger: log,
	})
	if err != nil {
		return nil, err // not a nil pointer in an interface
	}
	return server, nil
}

// network reads the network of --net-file, nil without one.
func (o *TraCI) network() (*lanes.Net, error) {
	if o.NetFile == "" {
		return nil, nil //nolint:nilnil // without the flag there is no network
	}
	file, err := regular.Open(o.NetFile)
	if err != nil {
		return nil, fmt.Errorf("--net-file: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(file, xmltree.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("--net-file: %w", err)
	}
	net, err := lanes.Parse(o.NetFile, text)
	return net, filekind.ExplainData(o.NetFile, text, err, filekind.SUMONet, filekind.XML)
}

// pitch is the distance of robots that are placed on a lane, m.
const pitch = 0.15

// World returns the plane of the network with the given number of robots on its lanes, with settings for some fields
// of the world.
func (o *TraCI) World(robots int, settings []string) (*sim.World, error) {
	network, err := o.network()
	if err != nil {
		return nil, err
	}
	spots := network.Spots(robots, pitch)
	if len(spots) < robots {
		return nil, fmt.Errorf("--robots %d: the lanes of %s have space for %d", robots, o.NetFile, len(spots))
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(o.NetFile), ".xml"), ".net")
	var text strings.Builder
	fmt.Fprintf(&text, "name: %s\nrobots:\n", strings.Trim(regexp.MustCompile(`[^A-Za-z0-9_]+`).ReplaceAllString("net_"+name, "_"), "_"))
	for i, at := range spots {
		number := ""
		if robots > 1 {
			number = fmt.Sprint(i + 1)
		}
		fmt.Fprintf(&text, "  - {name: epuck%s, level: functional, position: [%v, %v], yaw: %v}\n", number, at.X, at.Y, at.Theta)
	}
	return world.Parse([]byte(text.String()), settings...)
}
