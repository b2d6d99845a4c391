// SPDX-License-Identifier: Apache-2.0

//go:build peers

package webots_test

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// home is where Webots, or its controller library alone, is installed. scripts/test-webots.sh says where; the tests of
// this file need it and nothing else does.
func home(t *testing.T) (path string, release wire.Release) {
	t.Helper()
	path = os.Getenv("EPUCK_WEBOTS")
	if path == "" {
		t.Skip("no libController: scripts/test-webots.sh WEBOTS_HOME RELEASE")
	}
	release, err := wire.ParseRelease(cmp.Or(os.Getenv("EPUCK_WEBOTS_RELEASE"), wire.Latest().String()))
	if err != nil {
		t.Fatal(err)
	}
	return path, release
}

// build compiles a controller.
func build(t *testing.T, home, source string) string {
	t.Helper()
	program, lib := filepath.Join(t.TempDir(), "controller"), filepath.Join(home, "lib", "controller")
	out, err := exec.CommandContext(t.Context(), "cc", "-o", program, source, "-I", filepath.Join(home, "include", "controller", "c"),
		"-L", lib, "-lController", "-lm", "-Wl,-rpath,"+lib).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", source, err, out)
	}
	return program
}

// process is a controller that runs.
type process struct {
	cmd *exec.Cmd
	out bytes.Buffer
}

// begin starts a controller.
func begin(t *testing.T, home, tmp, url string, command ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), command[0], command[1:]...)}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	p.cmd.Env = append(os.Environ(), "WEBOTS_CONTROLLER_URL="+url, "WEBOTS_TMPDIR="+tmp, "USER=tester", "WEBOTS_HOME="+home,
		"PYTHONPATH="+filepath.Join(home, "lib", "controller", "python"))
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// reach waits until the world is as old.
func (g *rig) reach(age time.Duration) {
	g.t.Helper()
	g.await("the world to advance: "+g.server.Status().String(), func() bool { return g.sim.Elapsed() >= age })
}

// Controllers in C and Python, by TCP and by socket, read the same of the same world, and end on request.
func TestLibController(t *testing.T) {
	path, release := home(t)
	program := build(t, path, filepath.Join("testdata", "turning.c"))
	var first string
	for _, c := range []struct {
		how     string
		local   bool
		command []string
	}{
		{"C by TCP", false, []string{program}},
		{"C by socket", true, []string{program}},
		{"Python by socket", true, []string{"python3", filepath.Join("testdata", "turning.py")}},
		{"Python by TCP", false, []string{"python3", filepath.Join("testdata", "turning.py")}},
	} {
		dir := folder(t)
		g := serve(t, arena, func(k *webots.Config) {
			k.Release, k.User, k.Controllers = release, "tester", 2
			if c.local {
				k.Folder = dir
			}
		})
		a, b := begin(t, path, dir, g.server.URL("b"), c.command...), begin(t, path, dir, g.server.URL("c"), c.command...)
		g.reach(4 * time.Second)
		if left, right, _, _ := g.truth("b"); math.Abs(left-3) > 0.03 || math.Abs(right+2) > 0.03 {
			t.Errorf("%s: the wheels turn with %g and %g rad/s", c.how, left, right)
		}
		g.stop()
		for _, p := range []*process{a, b} {
			if err := p.cmd.Wait(); err != nil {
				t.Errorf("%s: %v\n%s", c.how, err, p.out.String())
			}
		}
		lines := strings.Count(a.out.String(), "\n")
		if lines != 2+20+20 || !strings.Contains(a.out.String(), "heard c 19 ") {
			t.Errorf("%s: %d lines\n%s", c.how, lines, a.out.String())
		}
		if first = cmp.Or(first, a.out.String()); a.out.String() != first {
			t.Errorf("%s reads\n%s\nand the first\n%s", c.how, a.out.String(), first)
		}
	}
}

// One controller in C drives robots that it does not know, by what they say of their devices: an e-puck2, a Khepera IV,
// a TurtleBot3, a Thymio II, an e-puck 1 and one with a device of each kind, all at once, and reads the same by TCP and
// by socket.
func TestLibControllerOfAnyRobot(t *testing.T) {
	path, release := home(t)
	program := build(t, path, filepath.Join("testdata", "anyrobot.c"))
	names := []string{"a", "k", "t", "y", "v1", "p"}
	first := map[string]string{}
	for _, local := range []bool{false, true, true} {
		dir := folder(t)
		g := serve(t, hall, func(k *webots.Config) {
			k.Release, k.User, k.Controllers = release, "tester", len(names)
			if local {
				k.Folder = dir
			}
		})
		began := map[string]sim.Pose{}
		var all []*process
		for _, name := range names {
			began[name] = g.where(name).Pose
			all = append(all, begin(t, path, dir, g.server.URL(name), program))
		}
		g.reach(2 * time.Second)
		for _, name := range names {
			if now := g.where(name).Pose; math.Abs(now.Theta-began[name].Theta) < 0.3 {
				t.Errorf("%s is at %v", name, now)
			}
		}
		g.stop()
		for i, name := range names {
			if err := all[i].cmd.Wait(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			text := all[i].out.String()
			if strings.Contains(text, "rror") || !strings.Contains(text, "0.960 ") {
				t.Errorf("%s:\n%s", name, text)
			}
			if first[name] = cmp.Or(first[name], text); text != first[name] {
				t.Errorf("%s reads\n%s\nand before\n%s", name, text, first[name])
			}
		}
	}
	for _, name := range names {
		t.Log(first[name][:strings.Index(first[name], "0.064")])
	}
}

// A controller that is killed stops its robot, and the others continue.
func TestLibControllerIsKilled(t *testing.T) {
	path, release := home(t)
	program := build(t, path, filepath.Join("testdata", "turning.c"))
	g := serve(t, arena, func(k *webots.Config) { k.Release, k.Controllers = release, 2 })
	a, b := begin(t, path, "", g.server.URL("a"), program), begin(t, path, "", g.server.URL("b"), program)
	g.reach(2 * time.Second)
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = a.cmd.Wait() // killed
	g.await("the robot to stop", func() bool {
		left, right, _, _ := g.truth("a")
		return left == 0 && right == 0
	})
	g.reach(g.sim.Elapsed() + time.Second)
	g.stop()
	if err := b.cmd.Wait(); err != nil {
		t.Errorf("the other one: %v\n%s", err, b.out.String())
	}
}

// Other controllers, unchanged: each drives its robot for some time, an e-puck2 or the model before its =.
func TestSampleControllers(t *testing.T) {
	path, release := home(t)
	samples := filepath.SplitList(os.Getenv("EPUCK_WEBOTS_CONTROLLERS"))
	for _, source := range samples {
		world := track
		if model, file, described := strings.Cut(source, "="); described {
			source, world = file, strings.Replace(track, "level: functional", "model: "+model, 1)
		}
		command := []string{"python3", source}
		if strings.HasSuffix(source, ".c") {
			command = []string{build(t, path, source)}
		}
		g := serve(t, world, func(k *webots.Config) { k.Release = release })
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		p := begin(t, path, "", g.server.URL("robot"), command...)
		far := 0.0
		for age := time.Second; age <= 20*time.Second && ctx.Err() == nil; age += time.Second {
			g.reach(age)
			at := g.where("robot").Pose
			far = max(far, math.Hypot(at.X, at.Y+0.2))
		}
		cancel()
		g.stop()
		if err := p.cmd.Wait(); err != nil || far < 0.1 {
			t.Errorf("%s: %v; the robot came %.2f m far\n%s", source, err, far, p.out.String())
		}
		t.Logf("%s: the robot came %.2f m far", filepath.Base(source), far)
	}
}

// track has a black line on its floor.
const track = `
name: track
arena: {center: [0, 0], size: [1.2, 1.0], height: 0.3}
floor:
  lines: [{points: [[-0.35, -0.2], [0.35, -0.2], [0.35, 0.2], [-0.35, 0.2]], closed: true, width: 0.03, reflectance: 0}]
boxes: [{name: crate, position: [-0.1, 0.1], size: [0.1, 0.1]}]
robots: [{name: robot, level: functional, position: [0, -0.2]}]
`
