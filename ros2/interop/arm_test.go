// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// release builds the program for the Pi Zero as it is delivered: ARMv6, static, with the camera.
func release(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("../../scripts/cross.sh", "armv6")
	cmd.Env = append(os.Environ(), "OUT="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		unavailable(t, "the release for the robot can't be built: %v\n%s", err, out)
	}
	return filepath.Join(dir, "epuck-driver-armv6")
}

// ride is how long the robot drives, by the stamps of its odometry.
const ride = time.Minute

// TestReleaseDrivesOnARM1176: the release binary, as ARM1176 code, drives the simulated robot for a minute; a DDS peer
// sends it commands and receives its odometry.
func TestReleaseDrivesOnARM1176(t *testing.T) {
	if !suite.Long {
		t.Skip("takes a minute")
	}
	t.Parallel()
	needNamespace(t)
	domain := newDomain()
	program := release(t)
	r := startProgram(t, domain, "env", "EPUCK_TEST_REAL_TIME_LOOP=1", "qemu-arm", "-cpu", "arm1176", program, "sim", "--world", "empty")
	p := cyclone.start(t, domain, 0)
	p.send("reader odom odometry rt/odom %s", qos{reliable: true, depth: 10}.words())
	p.send("writer cmd twist rt/cmd_vel %s", qos{reliable: true, depth: 1}.words())
	p.matched("cmd", 1)
	first := p.sample("odom")
	last, moving := first, 0.0
	deadline := time.Now().Add(ride + timeout)
	for time.Duration(last.stamp()-first.stamp()) < ride {
		if time.Now().After(deadline) {
			t.Fatalf("%v of odometry only", time.Duration(last.stamp()-first.stamp()))
		}
		p.send("twist cmd %g %g", 0.05, 0.4)
		e := p.sample("odom")
		checkOdometry(t, e, &last)
		moving += float64(e.Linear[0]) * time.Duration(e.stamp()-last.stamp()).Seconds()
		last = e
	}
	// A circle of 12.5 cm: on a busy machine commands are late and the robot stops meanwhile, so the test checks only
	// that it moved and that it is on the circle.
	x, y := float64(last.Position[0]), float64(last.Position[1])
	if moving < 0.5 || math.Hypot(x, y-0.125) > 0.15 {
		t.Errorf("drove %.2f m in a minute and is at (%.3f, %.3f) m", moving, x, y)
	}
	driveUntil(t, p, "stopped", 0, 0, func(e event) bool { return e.Linear[0] == 0 && e.Angular[2] == 0 })
	r.interrupt()
	p.quit()
	t.Logf("drove %.2f m", moving)
}
