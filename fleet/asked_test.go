// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// impatient is a network on which each node is asked for a parameter as soon as it offers to be asked.
type impatient struct {
	*ros2test.Transport
	ask     []byte
	answers chan answer
}

// answer is what a service said.
type answer struct {
	service string
	payload []byte
}

func (n *impatient) NewServer(cfg ros2.ServerConfig) (ros2.Server, error) {
	if strings.HasSuffix(cfg.Name, "/get_parameters") {
		cfg.OnRequest(ros2.Request{Payload: n.ask, Respond: func(payload []byte) error {
			n.answers <- answer{cfg.Name, append([]byte(nil), payload...)}
			return nil
		}})
	}
	return n.Transport.NewServer(cfg)
}

// TestRobotsAreSeenWithTheirParameters: a calibration that waits for a robot and asks at once hears its geometry, at
// every level. A robot without the driver's parameters would answer that it has none.
func TestRobotsAreSeenWithTheirParameters(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots: [{name: real, level: firmware}, {name: quick, level: functional, position: [1, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	for i, level := range []string{world.LevelFirmware, world.LevelFunctional} {
		w.Robots[i].Level = level
	}
	s, err := sim.New(w, sim.Options{Seed: 1, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	ask, err := cdr.Marshal(nil, &rcl_interfaces.GetParametersRequest{Names: []string{"wheel_radius", "wheel_distance"}})
	if err != nil {
		t.Fatal(err)
	}
	network := &impatient{ros2test.NewTransport(), ask, make(chan answer, 10)}
	defer func() { _ = network.Close() }()
	robots, err := fleet.New(fleet.Config{Simulation: s, Transport: network, Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
		return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}}, func() error { return nil }, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := robots.Close(); err != nil {
			t.Error(err)
		}
	}()
	missing := []string{"/real/epuck_driver/get_parameters", "/quick/epuck_driver/get_parameters"}
	for len(missing) > 0 {
		a := <-network.answers // on a goroutine of the service's: it may come later
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == a.service })
		var r rcl_interfaces.GetParametersResponse
		if err := cdr.Unmarshal(a.payload, &r); err != nil {
			t.Errorf("%s: %v", a.service, err)
		} else if v := r.Values; len(v) != 2 || v[0].DoubleValue < 0.015 || v[1].DoubleValue < 0.04 {
			t.Errorf("%s answers %+v", a.service, v)
		}
	}
}
