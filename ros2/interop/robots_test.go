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

// TestTwoRobots: robots in separate namespaces share a network; a command reaches only the addressed one.
func TestTwoRobots(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		p := s.start(t, domain, 0)
		for i := 1; i <= 2; i++ {
			startRobot(t, domain, "--ros-args", "-r", fmt.Sprintf("__ns:=/robot%d", i))
			p.send("reader odom%d odometry rt/robot%d/odom %s", i, i, qos{depth: 10}.words())
			p.send("writer cmd%d twist rt/robot%d/cmd_vel %s", i, i, qos{reliable: true}.words())
			p.matched(fmt.Sprintf("cmd%d", i), 1)
			p.sample(fmt.Sprintf("odom%d", i))
		}
		var moved, other event
		for moved.N == 0 || moved.Position[0] < 0.01 {
			p.send("twist cmd2 0.05 0")
			moved = p.sample("odom2")
			other = p.sample("odom1")
		}
		if other.Position[0] != 0 || other.Linear[0] != 0 {
			t.Errorf("robot1 moves, too: %s", other.line)
		}
	})
}
