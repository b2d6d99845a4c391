// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// tools are the files built for a run, in one folder.
type tools struct {
	dir     string
	plugin  string // QEMU's plugin with the model
	robot   string // the benchmarks as ARMv6 code, compiled like the release
	here    string // the benchmarks for this machine: the listener and the viewer
	release string // the program for the robot
	service unit   // systemd's settings of the program; a slack of 0 is the kernel's default
}

const project = "github.com/epuck-ros2/epuck-driver"

// build builds them, the program for the robot only if release is set. The benchmarks are linked like the release by
// scripts/cross.sh, but keep their symbols.
func build(ctx context.Context, dir string, release bool) (tools, error) {
	t := tools{dir: dir, robot: filepath.Join(dir, "robot.test"), here: filepath.Join(dir, "here.test")}
	var err error
	if t.plugin, err = armcost.BuildPlugin(ctx, dir); err != nil {
		return t, err
	}
	top, err := folder(ctx)
	if err != nil {
		return t, err
	}
	robot := []string{"CGO_ENABLED=1", "GOOS=linux", "GOARCH=arm", "GOARM=6", "CC=arm-linux-gnueabi-gcc"}
	link := "-linkmode external -extldflags -static"
	main := project + "/cmd/epuck-driver"
	if t.service, err = serviceUnit(ctx); err != nil {
		return t, err
	}
	inlining, err := os.ReadFile(filepath.Join(top, "scripts", "armv6.gcflags")) // the flags of cross.sh
	if err != nil {
		return t, err
	}
	benchmarks := append([]string{"test", "-c", "-trimpath", "-tags", "netgo,osusergo,nethttpomithttp2,system", "-ldflags", link}, strings.Fields(string(inlining))...)
	for _, step := range []func() error{
		func() error {
			return command(ctx, "", robot, "go", append(benchmarks, "-o", t.robot, main)...)
		},
		func() error { return command(ctx, "", nil, "go", "test", "-c", "-tags", "system", "-o", t.here, main) },
		func() (err error) {
			if release {
				t.release, err = buildRelease(ctx, dir)
			}
			return err
		},
	} {
		if err := step(); err != nil {
			return t, err
		}
	}
	return t, nil
}

// buildRelease builds the program for the robot.
func buildRelease(ctx context.Context, dir string) (string, error) {
	top, err := folder(ctx)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "epuck-driver-armv6"), command(ctx, top, []string{"OUT=" + dir}, "scripts/cross.sh", "armv6")
}

// folder returns the project's folder.
func folder(ctx context.Context) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", project).Output()
	if err != nil {
		return "", fmt.Errorf("finding the project's folder: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

// command runs a program; its error contains the program's output.
func command(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return errors.Join(fmt.Errorf("%s %v: %w", name, args, err), errors.New(string(out)))
	}
	return nil
}
