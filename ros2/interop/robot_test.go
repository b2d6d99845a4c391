// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program builds the program once and returns its file name. The variable INTEROP_PROGRAM names another one to be
// tested, a release for example.
var program = sync.OnceValues(func() (string, error) {
	if file := os.Getenv("INTEROP_PROGRAM"); file != "" {
		return file, nil
	}
	file := filepath.Join(scratch, "epuck-driver")
	cmd := exec.Command("go", "build", "-o", file, "github.com/epuck-ros2/epuck-driver/cmd/epuck-driver")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(firstLines(string(out), 20)))
	}
	return file, nil
})

// robot is a running program whose standard output is lines of text: `epuck-driver sim` or one of the examples.
type robot struct {
	t      testing.TB
	cmd    *exec.Cmd
	output *lockedBuffer
	lines  *mailbox[string]
	exited chan struct{}
	err    error
}

func startRobot(t testing.TB, domain uint32, args ...string) *robot {
	t.Helper()
	needNamespace(t)
	file, err := program()
	if err != nil {
		t.Fatalf("building the program: %v", err)
	}
	return startProgram(t, domain, append([]string{file, "sim"}, args...)...)
}

// startProgram runs a command line that is `epuck-driver sim` and waits until the robot is simulated.
func startProgram(t testing.TB, domain uint32, line ...string) *robot {
	t.Helper()
	r := startCommand(t, domain, line...)
	r.lines.await(t, "greeting of the simulated robot", func(line string) bool {
		return strings.HasPrefix(line, "Simulated robot") || strings.Contains(line, " simulated robots in world ")
	})
	return r
}

// startCommand runs a command line in a domain and collects the lines of its standard output. It is killed at the end
// of the test if it still runs.
func startCommand(t testing.TB, domain uint32, line ...string) *robot {
	t.Helper()
	r := &robot{t: t, output: &lockedBuffer{}, lines: newMailbox[string](), exited: make(chan struct{})}
	r.cmd = exec.Command(line[0], line[1:]...)
	r.cmd.Env = append(os.Environ(), fmt.Sprintf("ROS_DOMAIN_ID=%d", domain))
	r.cmd.Stderr = r.output
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.exited)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			fmt.Fprintln(r.output, s.Text())
			r.lines.put(s.Text())
		}
		r.err = r.cmd.Wait()
		r.lines.close()
	}()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		<-r.exited
		if t.Failed() {
			t.Logf("output of %s:\n%s", line[0], r.output.tail(60))
		}
	})
	return r
}

// interrupt sends SIGINT, waits for the end and returns how long it took.
func (r *robot) interrupt() time.Duration {
	r.t.Helper()
	begin := time.Now()
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		r.t.Fatal(err)
	}
	select {
	case <-r.exited:
	case <-time.After(timeout):
		r.t.Fatalf("%s does not end", r.cmd.Path)
	}
	if r.err != nil {
		r.t.Errorf("%s: %v", r.cmd.Path, r.err)
	}
	return time.Since(begin)
}

// yaw returns the heading of a rotation about z in radians.
func yaw(q []number) float64 { return 2 * math.Atan2(float64(q[2]), float64(q[3])) }

// checkOdometry checks the invariants of a message of odom.
func checkOdometry(t *testing.T, e event, before *event) {
	t.Helper()
	if e.FrameID != "odom" || e.ChildFrameID != "base_link" {
		t.Errorf("frames %q, %q", e.FrameID, e.ChildFrameID)
	}
	if n := norm(e.Orientation); math.Abs(n-1) > 1e-9 {
		t.Errorf("norm of the orientation %v", n)
	}
	if before != nil && e.stamp() <= before.stamp() {
		t.Errorf("stamp %d after %d", e.stamp(), before.stamp())
	}
	if e.Position[2] != 0 || e.Orientation[0] != 0 || e.Orientation[1] != 0 || e.Linear[1] != 0 || e.Linear[2] != 0 {
		t.Errorf("it leaves the plane: %s", e.line)
	}
	for _, i := range []int{0, 7, 35} { // x, y, yaw
		if e.PoseCovariance[i] < 0 || e.TwistCovariance[i] < 0 {
			t.Errorf("negative variance %d: %s", i, e.line)
		}
	}
}

// checkScan checks 21 rays from −150° to 150° with values as REP 117 has them: eight infrared sensors, and the time of
// flight ahead.
func checkScan(t *testing.T, e event) {
	t.Helper()
	const degree = math.Pi / 180
	near := func(a number, b float64) bool { return math.Abs(float64(a)-b) < 1e-6 }
	if e.FrameID != "laser_scanner" || len(e.Ranges) != 21 ||
		!near(e.AngleMin, -150*degree) || !near(e.AngleMax, 150*degree) || !near(e.AngleIncrement, 15*degree) {
		t.Errorf("scan: %s", e.line)
	}
	for i, r := range e.Ranges {
		sensor := strings.Contains(" 0 4 7 9 10 11 13 16 20 ", fmt.Sprintf(" %d ", i))
		switch v := float64(r); {
		case math.IsNaN(v): // nothing was measured
		case !sensor:
			t.Errorf("ray %d is %v, but no sensor looks there", i, r)
		case math.IsInf(v, 1) && i != 10:
			t.Errorf("ray %d is +Inf: only the time-of-flight sensor sees as far as range_max", i)
		case !math.IsInf(v, 0) && (r < e.RangeMin || r > e.RangeMax):
			t.Errorf("ray %d is %v, outside %v … %v", i, r, e.RangeMin, e.RangeMax)
		}
	}
}

// checkStatic checks the fixed frames: each once, under a parent that is there, with unit rotations.
func checkStatic(t *testing.T, e event) {
	t.Helper()
	known := map[string]bool{"base_link": true}
	for _, f := range e.Transforms {
		if known[f.ChildFrameID] || !known[f.FrameID] {
			t.Errorf("frame %q in %q", f.ChildFrameID, f.FrameID)
		}
		known[f.ChildFrameID] = true
		if n := norm(f.Rotation); math.Abs(n-1) > 1e-9 {
			t.Errorf("%s: norm of the rotation %v", f.ChildFrameID, n)
		}
	}
	for _, frame := range strings.Fields("base_footprint laser_scanner ps0 ps1 ps2 ps3 ps4 ps5 ps6 ps7 ls0 ls7 camera_optical_frame") {
		if !known[frame] {
			t.Errorf("no frame %s", frame)
		}
	}
}

// driveUntil sends cmd_vel repeatedly, as a robot with a command time-out requires, until odometry shows the commanded
// motion.
func driveUntil(t *testing.T, p *peer, what string, v, w float64, reached func(event) bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); {
		p.send("twist cmd %g %g", v, w)
		if reached(p.sample("odom")) {
			return
		}
	}
	t.Fatalf("%g m/s, %g rad/s: never %s", v, w, what)
}

func TestRobot(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		r := startRobot(t, domain)
		p := s.start(t, domain, 0)
		one := qos{reliable: true, depth: 10}.words()
		p.send("reader odom odometry rt/odom %s", one)
		p.send("reader scan scan rt/scan %s", one)
		p.send("reader tf tf rt/tf %s", one)
		p.send("reader ps0 range rt/ps0 %s", one)
		p.send("reader static tf rt/tf_static %s", qos{reliable: true, transientLocal: true, depth: 100}.words())
		p.send("writer cmd twist rt/cmd_vel %s", one)

		checkStatic(t, p.sample("static"))
		var before *event
		for range 40 {
			e := p.sample("odom")
			checkOdometry(t, e, before)
			before = &e
			checkScan(t, p.sample("scan"))
		}
		if tf := p.sample("tf"); len(tf.Transforms) != 1 || tf.Transforms[0].FrameID != "odom" || tf.Transforms[0].ChildFrameID != "base_link" {
			t.Errorf("tf: %s", tf.line)
		}
		if ps := p.sample("ps0"); ps.FrameID != "ps0" || ps.RadiationType != 1 || ps.FieldOfView <= 0 || ps.RangeMax <= ps.RangeMin {
			t.Errorf("ps0: %s", ps.line)
		}

		p.matched("cmd", 1)
		driveUntil(t, p, "2 cm ahead", 0.08, 0, func(e event) bool { return e.Position[0] > before.Position[0]+0.02 && e.Linear[0] > 0.05 })
		driveUntil(t, p, "turned by 0.5 rad", 0, 1.5, func(e event) bool { return yaw(e.Orientation) > 0.5 && e.Angular[2] > 1 })
		driveUntil(t, p, "stopped", 0, 0, func(e event) bool { return e.Linear[0] == 0 && e.Angular[2] == 0 })

		took := r.interrupt()
		for _, id := range []string{"odom", "static", "cmd"} {
			p.matched(id, 0) // long before the lease of 20 s expires
		}
		t.Logf("ended %v after SIGINT", took)
		p.quit()
	})
}

// TestRobotStopsWithoutCommands: the robot stops when the peer that drives it dies.
func TestRobotStopsWithoutCommands(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		startRobot(t, domain)
		watch := s.start(t, domain, 0)
		watch.send("reader odom odometry rt/odom %s", qos{depth: 5}.words())
		driver := s.start(t, domain, 0)
		driver.send("reader odom odometry rt/odom %s", qos{depth: 5}.words())
		driver.send("writer cmd twist rt/cmd_vel %s", qos{reliable: true}.words())
		driver.matched("cmd", 1)
		driveUntil(t, driver, "moving", 0.05, 0, func(e event) bool { return e.Linear[0] > 0.04 })
		driver.kill()
		watch.await("motion", func(e event) bool { return e.Event == "sample" && e.Linear[0] > 0.04 })
		watch.await("standstill", func(e event) bool { return e.Event == "sample" && e.N > 0 && e.Linear[0] == 0 && e.Position[0] > 0.001 })
	})
}
