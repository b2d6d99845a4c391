// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package conformance

import (
	"os"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// domain is a domain that no other program on this machine's loopback interface uses.
const domain = 87

// opener opens a transport of one kind.
type opener func(t *testing.T) ros2.Transport

func openRTPS(t *testing.T) ros2.Transport {
	t.Helper()
	tr, err := rmw.New(rmw.Config{DomainID: domain, Interfaces: []string{"lo"}})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func openRCL(t *testing.T) ros2.Transport {
	t.Helper()
	tr, err := rclgo.New(rclgo.Config{DomainID: domain})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// foreign returns the limits of rcl and of the middleware; releases after Humble announce type hashes.
func foreign() ros2test.Limits {
	return ros2test.Limits{
		Anonymous: true, NoTypeHashes: os.Getenv("ROS_DISTRO") == "humble", NoHistory: true, Queued: true,
		OneType: os.Getenv("RMW_IMPLEMENTATION") == "rmw_fastrtps_cpp",
	}
}

// run runs the suite on a network whose processes are of the kinds, in turn.
func run(t *testing.T, kinds ...opener) {
	t.Helper()
	t.Logf("middleware %s, %s", os.Getenv("RMW_IMPLEMENTATION"), os.Getenv("ROS_DISTRO"))
	var r rest
	ros2test.Suite{
		Network: func(t *testing.T) func() ros2.Transport {
			joined := 0
			return func() ros2.Transport {
				open := kinds[joined%len(kinds)]
				joined++
				return r.watch(open(t))
			}
		},
		Settle: r.settle,
		Limits: foreign(),
	}.Run(t)
}

func TestRTPSOnLoopback(t *testing.T) { run(t, openRTPS) }

func TestRCLGo(t *testing.T) { run(t, openRCL) }

func TestRTPSThenRCLGo(t *testing.T) { run(t, openRTPS, openRCL) }

func TestRCLGoThenRTPS(t *testing.T) { run(t, openRCL, openRTPS) }
