// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/target"
)

// operation is a Go benchmark of this project whose one turn is a cost of its own.
type operation struct {
	room, benchmark string
	times           int // enough that a turn stands out of the program's start
}

// operations cost what they cost wherever they run: they wait for nothing and send nothing.
func operations() []operation {
	list := []operation{
		{"cdr", "EncodeFloat32s", 30000}, {"cdr", "DecodeFloat32s", 30000},
		{"ros2/rtps/wire", "Walk1", 20000}, {"ros2/rtps/wire", "Walk10", 5000}, {"ros2/rtps/wire", "WalkForOther", 20000},
		{"ros2/rtps/wire", "Build10", 5000}, {"ros2/rtps/wire", "DecodeParticipant", 2000}, {"ros2/rtps/wire", "DecodePublication", 2000},
		{"odometry", "Update", 20000}, {"i2c/mcu", "Decode", 30000}, {"i2c/mcu", "Put", 100000},
		{"camera/jpeg", "Encode/calm", 3}, {"camera/jpeg", "Encode/noisy", 3}, {"camera/jpeg", "Encode/grey", 3},
	}
	for _, m := range []string{"Odometry", "LaserScan", "TFMessage", "Range", "JointState", "Image"} {
		times := 20000
		if m == "Image" {
			times = 100
		}
		list = append(list, operation{"msgs", "Encode" + m, times}, operation{"msgs", "Decode" + m, times})
	}
	return list
}

func (o operation) name() string { return o.room + " " + o.benchmark }

// arguments are those of a test program that runs the operation alone.
func (o operation) arguments(times int) []string {
	return []string{"-test.run", "^$", "-test.bench", "^Benchmark" + strings.ReplaceAll(o.benchmark, "/", "$/^") + "$",
		"-test.benchtime", strconv.Itoa(times) + "x"}
}

// testProgram compiles the tests of a room, for the robot or for this machine.
func testProgram(ctx context.Context, dir, room string, robot bool) (string, error) {
	file, env := filepath.Join(dir, strings.ReplaceAll(room, "/", "-")+".here"), []string(nil)
	if robot {
		file = strings.TrimSuffix(file, "here") + "robot"
		env = []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm", "GOARM=6"}
	}
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	return file, command(ctx, "", env, "go", "test", "-c", "-o", file, project+"/"+room)
}

// perTurn counts what one turn of an operation takes on the robot: the difference of runs with few and with more of
// them.
func (t tools) perTurn(ctx context.Context, o operation) (target.Counts, error) {
	program, err := testProgram(ctx, t.dir, o.room, true)
	if err != nil {
		return target.Counts{}, err
	}
	few, err := t.wholeRun(ctx, program, o.arguments(o.times))
	if err != nil {
		return target.Counts{}, fmt.Errorf("%s: %w", o.name(), err)
	}
	more, err := t.wholeRun(ctx, program, o.arguments(3*o.times))
	if err != nil {
		return target.Counts{}, fmt.Errorf("%s: %w", o.name(), err)
	}
	return more.Minus(few).Per(float64(2 * o.times)), nil
}

// wholeRun counts a program from its begin to its end.
func (t tools) wholeRun(ctx context.Context, program string, args []string) (target.Counts, error) {
	file := filepath.Join(t.dir, "whole")
	if err := os.RemoveAll(file); err != nil {
		return target.Counts{}, err
	}
	cmd := t.emulator(file, "").Command(ctx, append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "GOGC=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return target.Counts{}, fmt.Errorf("%w\n%s", err, out)
	}
	marks, err := readMarks(file)
	if err != nil || len(marks) == 0 {
		return target.Counts{}, fmt.Errorf("%w: %d: %w", errMarks, len(marks), err)
	}
	return marks[len(marks)-1].Counts, nil
}
