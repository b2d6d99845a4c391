// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// without is a transport of a ROS 2 that a package is not installed on.
type without struct {
	ros2.ServiceTransport
	pkg string
}

func (w without) has(rosType string) error {
	if strings.HasPrefix(rosType, w.pkg+"/") {
		return fmt.Errorf("%w: %s", ros2.ErrNoType, rosType)
	}
	return nil
}

// NewWriter implements ros2.Transport.
func (w without) NewWriter(c ros2.WriterConfig) (ros2.Writer, error) {
	if err := w.has(c.Type); err != nil {
		return nil, err
	}
	return w.ServiceTransport.NewWriter(c)
}

// NewServer implements ros2.ServiceTransport.
func (w without) NewServer(c ros2.ServerConfig) (ros2.Server, error) {
	if err := w.has(c.Type); err != nil {
		return nil, err
	}
	return w.ServiceTransport.NewServer(c)
}

// TestHostWithoutSimulationInterfaces: on a ROS 2 without simulation_interfaces the simulation runs without those
// services, and one warning names them. Other errors are not suppressed.
func TestHostWithoutSimulationInterfaces(t *testing.T) {
	h := newHosted(t)
	clock, err := simclock.New(simclock.Config{Factor: 1})
	if err != nil {
		t.Fatal(err)
	}
	transport := ros2test.NewNetwork().NewTransport()
	defer func() { _ = transport.Close() }()
	var log bytes.Buffer
	node, err := ros2.NewNode(ros2.NodeConfig{
		Name: "simulation", Transport: without{transport, "simulation_interfaces"}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = node.Close() }()
	host, err := fleet.NewHost(fleet.HostConfig{
		Node: node, Simulation: h.sim, Clock: clock, World: "swarm", Restart: func(fleet.WorldSource) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if strings.Count(log.String(), "level=WARN") != 1 {
		t.Errorf("not one warning:\n%s", log.String())
	}
	for _, want := range []string{"simulation-interfaces", "~/spawn_entity", "~/simulate_steps", "~/load_world"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in\n%s", want, log.String())
		}
	}
	if err := node.Close(); err != nil {
		t.Error(err)
	}
	if _, err := fleet.NewHost(fleet.HostConfig{Node: node, Simulation: h.sim}); err == nil {
		t.Error("a host on a closed node")
	}
}
