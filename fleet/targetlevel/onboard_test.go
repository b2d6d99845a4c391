// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func needs(t testing.TB) {
	t.Helper()
	if runtime.GOARCH == "arm" {
		t.Skip("the emulator is for PCs, not for the emulated robot")
	}
	for _, tool := range []string{"arm-linux-gnueabi-gcc", "gcc", "qemu-arm", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
}

func compiled(t testing.TB, text string) string {
	t.Helper()
	needs(t)
	dir := t.TempDir()
	source, program := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-static", "-O1", "-marm", "-march=armv6", "-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// control is a driver in a few lines: 20 times a second it commands the wheels to turn, and between its cycles it
// computes for so many ms.
const control = `
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
int main(int argc, char **argv) {
  int f = open("/dev/i2c-12", O_RDWR);
  unsigned turns = (unsigned)atoi(argv[argc - 1]) * 250000u;
  unsigned char out[20] = {200, 0, 200, 0}, in[47];
  for (int i = 0; i < 19; i++) {
    out[19] ^= out[i];
  }
  struct i2c_msg messages[2] = {{0x1f, 0, sizeof out, out}, {0x1f, I2C_M_RD, sizeof in, in}};
  struct i2c_rdwr_ioctl_data data = {messages, 2};
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    ioctl(f, I2C_RDWR, &data);
    unsigned n = turns;
    if (n != 0) {
      __asm__ volatile("1: add r3, r3, #1\n add r3, r3, #1\n add r3, r3, #1\n subs %0, %0, #1\n bne 1b\n" : "+r"(n) : : "r3");
    }
    next.tv_nsec += 50000000;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000, next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
}`

const hog = `int main(void) {
  for (;;) __asm__ volatile("add r3, r3, #1\n add r3, r3, #1\n add r3, r3, #1\n add r3, r3, #1\n" : : : "r3");
}`

// TestProcessors: on a faster processor with larger caches the same program takes a smaller share: that of the
// parameters, and that of a robot in the world.
func TestProcessors(t *testing.T) {
	p, err := armcost.Processor("cortex-a53-pi3")
	if err != nil {
		t.Fatal(err)
	}
	c := computersOn(t, p, []string{"arm1176", "", "cortex-a72-pi4"}, []string{compiled(t, control), "1"})
	if err := c.Advance(t.Context(), 200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	var shares []float64
	for _, r := range c.Report() {
		shares = append(shares, r.Share.Likely)
	}
	if !(shares[0] > 1.3*shares[1] && shares[1] > 1.3*shares[2] && shares[2] > 0) {
		t.Errorf("shares of the core: %v", shares)
	}
}

// computers are those of an empty world with robots of the level target.
func computers(t *testing.T, robots int, programs ...[]string) *Computers {
	t.Helper()
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	return computersOn(t, p, make([]string, robots), programs...)
}

// computersOn are computers with these processors; empty is that of the parameters.
func computersOn(t *testing.T, p armcost.Parameters, processors []string, programs ...[]string) *Computers {
	t.Helper()
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, len(processors), sim.Grid, 1); err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level, w.Robots[i].Processor = world.LevelTarget, processors[i]
	}
	c, err := New(t.Context(), Config{World: w, Seed: 1, Parameters: p, Workers: 2, Programs: func(string) (all []machine.Program) {
		for _, args := range programs {
			all = append(all, machine.Program{Args: args, Out: os.Stderr, Err: os.Stderr})
		}
		return all
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func advance(t *testing.T, c *Computers, to time.Duration) []Report {
	t.Helper()
	if err := c.Advance(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	return c.Report()
}

// TestOverload: a robot whose programs fit keeps its cycles; one that computes for 30 ms of 50 does so, too, until a
// second program wants the core: then it loses cycles.
func TestOverload(t *testing.T) {
	program, other := compiled(t, control), compiled(t, hog)
	light := advance(t, computers(t, 1, []string{program, "1"}), 2*time.Second)[0]
	heavy := advance(t, computers(t, 1, []string{program, "30"}), 500*time.Millisecond)[0]
	c := computers(t, 1, []string{program, "30"}, []string{other})
	over := advance(t, c, time.Second)[0]
	if light.Control.Lost != 0 || light.Control.Made != 40 || light.Share.Likely > 0.04 || light.Share.Likely < 0.02 {
		t.Errorf("light: %+v", light)
	}
	if heavy.Control.Lost != 0 || heavy.Share.Likely < 0.6 || heavy.Share.Likely > 0.7 {
		t.Errorf("heavy: %+v", heavy)
	}
	if over.Control.Share() < 0.1 || over.Share.Likely < 0.99 || over.Share.Likely > 1.01 || over.Control.Gap < 55*time.Millisecond {
		t.Errorf("too much: %+v", over)
	}
	if truth := sim.RobotsOf[*sim.Firmware](c.World())[0].GroundTruth(); truth.LeftSpeed == 0 {
		t.Errorf("the robot does not drive: %+v", truth)
	}
	var text bytes.Buffer
	if _, err := over.WriteTo(&text); err != nil || !regexp.MustCompile(`control cycles: \d+ made, \d+ lost`).MatchString(text.String()) {
		t.Errorf("%v\n%s", err, &text)
	}
	if err := c.End(t.Context()); err != nil || c.running() {
		t.Errorf("they don't end: %v", err)
	}
}

// TestBatteryPays: what the programs take of the processor leaves the battery, and the same again to the bit.
func TestBatteryPays(t *testing.T) {
	program := compiled(t, control)
	charge := func(work string) (float64, float64) {
		c := computers(t, 2, []string{program, work})
		r := advance(t, c, 1500*time.Millisecond)
		if r[0].Board.Low >= r[0].Board.Likely || r[0].Widest == "" {
			t.Errorf("%+v", r[0])
		}
		return sim.RobotsOf[*sim.Firmware](c.World())[1].GroundTruth().Charge, r[1].Processor.Likely
	}
	idle, none := charge("0")
	busy, joules := charge("40")
	again, _ := charge("40")
	if busy != again {
		t.Errorf("charge %g, and again %g", busy, again)
	}
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	paid := (idle - busy) * w.Robots[0].Battery.Capacity * core.CellVoltage
	if want := joules - none; paid < 0.8*want || paid > 1.1*want {
		t.Errorf("the battery paid %.3f J more for %.3f J", paid, want)
	}
}

// TestWorldsWithout robots of the level target, or whose programs are not there.
func TestWorldsWithout(t *testing.T) {
	needs(t)
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{World: w, Parameters: p, Programs: func(string) []machine.Program { return []machine.Program{{Args: []string{"/nothing"}}} }}
	if _, err := New(t.Context(), cfg); !errors.Is(err, errNoTarget) {
		t.Errorf("%v", err)
	}
	w.Robots[0].Level = world.LevelTarget
	if _, err := New(t.Context(), cfg); !errors.Is(err, machine.ErrStart) {
		t.Errorf("%v", err)
	}
	w.Robots[0].Processor = "6502"
	if _, err := New(t.Context(), cfg); !errors.Is(err, armcost.ErrProcessor) {
		t.Errorf("%v", err)
	}
}

// echo is a bus that counts.
type echo struct{ timeout time.Duration }

func (echo) Tx(uint16, []byte, []byte) error { return nil }
func (e *echo) SetTimeout(d time.Duration)   { e.timeout = d }

func TestMeter(t *testing.T) {
	at := time.Unix(0, 0)
	bus := &echo{}
	m := &meter{Bus: bus, now: func() time.Time { return at }}
	m.SetTimeout(time.Second)
	if m.seen().Share() != 0 || bus.timeout != time.Second {
		t.Error("before the first")
	}
	for _, gap := range []int{0, 50, 52, 70, 80, 150, 1} {
		at = at.Add(time.Duration(gap) * time.Millisecond)
		if err := errors.Join(m.Tx(0x1f, []byte{1}, nil), m.Tx(0x20, []byte{1}, nil), m.Tx(0x1f, nil, []byte{1})); err != nil {
			t.Fatal(err)
		}
	}
	want := core.Cycles{Made: 7, Lost: 1 + 2, Late: 2, Gap: 150 * time.Millisecond}
	if got := m.seen(); got != want || math.Abs(got.Share()-0.3) > 1e-9 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestDriver: the driver for ARMv6 runs on a simulated robot in simulated time, keeps its cycles, drives as commanded
// by a second program on the same core, and its odometry says so.
func TestDriver(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles the driver for ARMv6")
	}
	needs(t)
	driver := filepath.Join(t.TempDir(), "epuck-driver-armv6")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "netgo,osusergo,nethttpomithttp2", "-o", driver, "github.com/epuck-ros2/epuck-driver/cmd/epuck-driver")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", strconv.Itoa(os.Getpid()%100+100))
	c := computers(t, 1, []string{driver, "run", "--ros-args", "-p", "i2c_bus:=12"})
	own := c.computers[0]
	r := advance(t, c, 4*time.Second)[0]
	if r.Control.Lost > 0 || r.Control.Made < 70 || r.Programs[0].Ended || r.Share.Likely > 0.2 {
		t.Fatalf("%+v", r)
	}
	before := sim.RobotsOf[*sim.Firmware](c.World())[0].GroundTruth().Pose
	var out bytes.Buffer
	start := func(args ...string) {
		if err := own.machine.Start(machine.Program{Args: append([]string{driver}, args...), Out: &out, Err: &out}); err != nil {
			t.Fatal(err)
		}
	}
	start("drive", "0.05", "0", "--for", "4s")
	advance(t, c, 14*time.Second)
	after := sim.RobotsOf[*sim.Firmware](c.World())[0].GroundTruth().Pose
	way := math.Hypot(after.X-before.X, after.Y-before.Y)
	if way < 0.17 || way > 0.23 {
		t.Errorf("it drove %.3f m, commanded were 0.2\n%s", way, &out)
	}
	start("topic", "echo", "/odom", "--once")
	advance(t, c, 24*time.Second)
	if err := c.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	c.Report()
	x := regexp.MustCompile(`(?s)position:.*?x: ([-0-9.e]+)`).FindStringSubmatch(out.String())
	if x == nil {
		t.Fatalf("no odometry: %s", &out)
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(x[1]), 64); err != nil || math.Abs(v-way) > 0.01 {
		t.Errorf("odometry says %v m, it drove %.3f", x[1], way)
	}
}
