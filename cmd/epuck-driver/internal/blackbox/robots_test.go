// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	wifi "github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// TestBoxOfEachKindOfRobot: a robot with chips on a bus and one over Wi-Fi can be recorded, and their driver is made.
func TestBoxOfEachKindOfRobot(t *testing.T) {
	over, err := wifi.New(wifi.Config{Address: "epuck", Dial: func(ctx context.Context, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = over.Close() }()
	for name, robot := range map[string]hardware.Hardware{"chips": &chips.Robot{Bus: &i2cfake.Script{}}, "Wi-Fi": over} {
		t.Run(name, func(t *testing.T) {
			transport := ros2test.NewTransport()
			defer func() { _ = transport.Close() }()
			node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = node.Close() }()
			config := driver.Config{Node: node, Hardware: robot}
			box, err := New(node, &config, slog.New(slog.NewTextHandler(io.Discard, nil)))
			if err != nil {
				t.Fatal(err)
			}
			d, err := driver.New(config)
			if err != nil {
				t.Fatal(err)
			}
			if box.tap == nil || config.OnReading == nil {
				t.Error("the box does not see the bus")
			}
			if err := d.Close(); err != nil {
				t.Log(err) // there is no robot to stop
			}
		})
	}
}
