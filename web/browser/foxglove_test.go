// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestFoxglove: Foxglove's own client and decoders use every operation of the protocol, under both of its names.
func TestFoxglove(t *testing.T) {
	r := newServer(t, options{})
	clock, err := ros2.NewPublisher[rosgraph_msgs.Clock](r.node, "/clock", ros2.LatchedQoS())
	r.must(err)
	r.must(clock.Publish(&rosgraph_msgs.Clock{Clock: builtin_interfaces.Time{Sec: 1234, Nanosec: 5}}))
	for _, protocol := range []string{"foxglove.sdk.v1", "foxglove.websocket.v1"} {
		cmd := exec.Command("node", "../internal/foxglove/testdata/peer.mjs", strings.Replace(r.url, "http", "ws", 1), protocol)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		r.must(err)
		var report struct {
			Failed                  []string
			Decoded                 map[string]string
			Capabilities, Encodings []string
			Drove                   float64
			Parameters              int
			Set, Update             float64
			Refusal                 string
			Reset, ResetJSON        bool
			Publishers              []string
			Asset                   any
			Traversal               int
			Time                    string
		}
		r.must(json.Unmarshal(out, &report))
		if len(report.Failed) > 0 || len(report.Decoded) < 25 {
			t.Fatalf("%s: %d topics decoded; failed: %v", protocol, len(report.Decoded), report.Failed)
		}
		types := map[string]bool{}
		for _, typ := range report.Decoded {
			types[typ] = true
		}
		switch {
		case report.Drove < 0.01:
			t.Errorf("%s: the robot was not driven", protocol)
		case report.Parameters < 20, report.Set != 0.021, report.Update != 0.021, report.Refusal == "":
			t.Errorf("%s: parameters: %+v", protocol, report)
		case !report.Reset, !report.ResetJSON:
			t.Errorf("%s: services", protocol)
		case len(report.Publishers) != 1, report.Publishers[0] != "/epuck_driver":
			t.Errorf("%s: graph: %v", protocol, report.Publishers)
		case report.Traversal != 1:
			t.Errorf("%s: an asset above the allowed folder was sent", protocol)
		case report.Time != "1234000000005":
			t.Errorf("%s: time %q", protocol, report.Time)
		}
		if size, ok := report.Asset.(float64); !ok || size < 1000 {
			t.Errorf("%s: asset: %v", protocol, report.Asset)
		}
		t.Logf("%s: %d topics of %d types decoded, capabilities %v, %s", protocol, len(report.Decoded), len(types), report.Capabilities, report.Refusal)
	}
	timeout, look := time.After(time.Minute), time.NewTicker(10*time.Millisecond)
	defer look.Stop()
	for r.robot.GroundTruth().LEDs == (sim.GroundTruth{}).LEDs {
		select {
		case <-look.C:
		case <-timeout:
			t.Fatal("JSON did not light an LED")
		}
	}
}
