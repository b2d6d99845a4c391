// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// operation is a Go benchmark of this project; one iteration is an entry of the cost table.
type operation struct {
	pkg, benchmark string // folder of the package
	times          int    // enough to exceed the cost of the program's start
	marked         bool   // it marks its iterations itself, and sends: counted with the release's flags
}

// operations returns those of the cost table. Those that are not marked neither wait nor send, so their cost does not
// depend on the machine's load.
func operations() []operation {
	list := []operation{
		{"msgs/cdr", "EncodeFloat32s", 30000, false}, {"msgs/cdr", "DecodeFloat32s", 30000, false},
		{"ros2/rtps/wire", "Walk1", 20000, false}, {"ros2/rtps/wire", "Walk10", 5000, false}, {"ros2/rtps/wire", "WalkForOther", 20000, false},
		{"ros2/rtps/wire", "Build10", 5000, false}, {"ros2/rtps/wire", "DecodeParticipant", 2000, false}, {"ros2/rtps/wire", "DecodePublication", 2000, false},
		{"odometry", "Update", 20000, false}, {"i2c/mcu", "Decode", 30000, false}, {"i2c/mcu", "Put", 100000, false},
		{"camera/jpeg", "Encode/calm", 3, false}, {"camera/jpeg", "Encode/noisy", 3, false}, {"camera/jpeg", "Encode/grey", 3, false},
	}
	for _, m := range []string{"Odometry", "LaserScan", "TFMessage", "Range", "JointState", "Image"} {
		times := 20000
		if m == "Image" {
			times = 100
		}
		list = append(list, operation{"msgs", "Encode" + m, times, false}, operation{"msgs", "Decode" + m, times, false})
	}
	for _, c := range []string{"nothing", "odom", "scan", "infrared", "light", "imu", "everything"} {
		list = append(list, operation{driverPackage, "CostCycle/" + c, 200, true})
	}
	for _, m := range []string{"Range", "LaserScan", "Imu", "Odometry", "CompressedImage"} {
		list = append(list, operation{driverPackage, "CostPublish/" + m, 200, true}, operation{driverPackage, "CostExchange/" + m, 200, true})
	}
	for _, h := range []string{"picture", "parameter", "participant"} {
		list = append(list, operation{driverPackage, "CostHappening/" + h, 60, true})
	}
	return append(list, wholeProgram())
}

// wholeProgram is no benchmark but a control cycle of the release's program without subscribers in simulated time, with
// the timers, the scheduler and the network between two cycles.
func wholeProgram() operation { return operation{"epuck-driver", "run", 1, true} }

// driverPackage has the benchmarks of the whole program.
const driverPackage = "cmd/epuck-driver"

func (o operation) name() string { return o.pkg + " " + o.benchmark }

// arguments returns those of a test program that runs only this operation.
func (o operation) arguments(times int) []string {
	return []string{"-test.run", "^$", "-test.bench", "^Benchmark" + strings.ReplaceAll(o.benchmark, "/", "$/^") + "$",
		"-test.benchtime", strconv.Itoa(times) + "x"}
}

// testProgram compiles the tests of a package, for the robot or for this machine.
func testProgram(ctx context.Context, dir, pkg string, robot bool) (string, error) {
	file, env := filepath.Join(dir, strings.ReplaceAll(pkg, "/", "-")+".here"), []string(nil)
	if robot {
		file = strings.TrimSuffix(file, "here") + "robot"
		env = []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm", "GOARM=6"}
	}
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	args := []string{"test", "-c", "-tags", "peers,system", "-o", file}
	if robot && pkg == driverPackage { // with the release's flags
		top, err := folder(ctx)
		if err != nil {
			return "", err
		}
		inlining, err := os.ReadFile(filepath.Join(top, "scripts", "armv6.gcflags"))
		if err != nil {
			return "", err
		}
		args = append(append(args, "-tags", "netgo,osusergo,nethttpomithttp2,peers,system"), strings.Fields(string(inlining))...)
	}
	return file, command(ctx, "", env, "go", append(args, project+"/"+pkg)...)
}

// perTurn counts one iteration of an operation on the robot: the difference of runs with few and with more of them.
func (t tools) perTurn(ctx context.Context, p armcost.Parameters, o operation) (armcost.Counts, error) {
	var err error
	if t.service, err = serviceUnit(ctx); err != nil {
		return armcost.Counts{}, err
	}
	if o == wholeProgram() {
		if t.release, err = buildRelease(ctx, t.dir); err != nil {
			return armcost.Counts{}, err
		}
		c, err := t.inTime(ctx, p)
		return c.per().Counts, err
	}
	program, err := testProgram(ctx, t.dir, o.pkg, true)
	if err != nil {
		return armcost.Counts{}, err
	}
	if o.marked {
		t.robot = program
		return t.leastOf(ctx, scenario{name: o.name(), benchmark: "Benchmark" + o.benchmark, times: o.times})
	}
	few, err := t.wholeRun(ctx, program, o.arguments(o.times))
	if err != nil {
		return armcost.Counts{}, fmt.Errorf("%s: %w", o.name(), err)
	}
	more, err := t.wholeRun(ctx, program, o.arguments(3*o.times))
	if err != nil {
		return armcost.Counts{}, fmt.Errorf("%s: %w", o.name(), err)
	}
	return more.Minus(few).Per(float64(2 * o.times)), nil
}

// countings is how often a marked operation is counted. The result is the minimum: load of the machine adds wake-ups.
const countings = 3

// leastOf returns the minimum count of one iteration of a scenario.
func (t tools) leastOf(ctx context.Context, s scenario) (least armcost.Counts, err error) {
	for range countings {
		c, err := t.measure(ctx, s)
		if err != nil {
			return armcost.Counts{}, fmt.Errorf("%s: %w", s.name, err)
		}
		if one := c.per().Counts; least.Events == nil || one.Events["instructions"] < least.Events["instructions"] {
			least = one
		}
	}
	return least, nil
}

// wholeRun counts a program from start to end.
func (t tools) wholeRun(ctx context.Context, program string, args []string) (armcost.Counts, error) {
	file := filepath.Join(t.dir, "whole")
	if err := os.RemoveAll(file); err != nil {
		return armcost.Counts{}, err
	}
	cmd := t.emulator(file, "").Command(ctx, append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "GOGC=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return armcost.Counts{}, fmt.Errorf("%w\n%s", err, out)
	}
	marks, err := readMarks(file)
	if err != nil || len(marks) == 0 {
		return armcost.Counts{}, fmt.Errorf("%w: %d: %w", errMarks, len(marks), err)
	}
	return marks[len(marks)-1].Counts, nil
}
