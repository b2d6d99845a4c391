// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestDriveCommand: the program's own `drive` moves the robot, according to the odometry that a peer receives, and
// stops it.
func TestDriveCommand(t *testing.T) {
	domain := newDomain()
	startRobot(t, domain)
	p := cyclone.start(t, domain, 0)
	p.send("reader odom odometry rt/odom %s", qos{reliable: true, depth: 10}.words())
	p.sample("odom")
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	// twice as long as is needed: a robot's first motion may come 0.66 s late (docs/reference/firmware.md, row 2)
	cmd := exec.Command(file, "drive", "0.05", "0.5", "--for", "2s")
	cmd.Env = append(os.Environ(), fmt.Sprintf("ROS_DOMAIN_ID=%d", domain))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("drive: %v\n%s", err, out)
	}
	p.await("motion", func(e event) bool { return e.Event == "sample" && e.Linear[0] > 0.04 && e.Angular[2] > 0.4 })
	p.await("standstill", func(e event) bool {
		return e.Event == "sample" && e.Linear[0] == 0 && e.Angular[2] == 0 && e.Position[0] > 0.02 && yaw(e.Orientation) > 0.2
	})
}
