// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// A panic in any goroutine of the program stops the wheels, and then ends the program with a status that says so. The
// names of the goroutines are those that a driving robot with a listener to everything has.
func TestPanicInEveryGoroutine(t *testing.T) {
	program := filepath.Join(t.TempDir(), "epuck-driver")
	build := exec.Command("go", "build", "-tags", "injectpanic", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if os.Getenv(armEnv) != "" {
		build.Env = append(build.Env, "GOARCH=arm", "GOARM=6")
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names := tasks(t, program)
	for _, must := range []string{"main", "parts and publishing", "guard of the wheels", "log of the wheels", "receive", "systemd", "outlet", "picture pipeline"} {
		if !slices.Contains(names, must) {
			t.Errorf("no goroutine is called %q: %q", must, names)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, trigger := injected(t, program, name)
			p.cmd.Env = append(p.cmd.Env, "EPUCK_TASK_NAMES=/dev/null")
			p.startWithPictures()
			if err := os.WriteFile(trigger, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if status := p.wantEnd(); status != frame.ExitPanic && status != frame.ExitFailed {
				t.Errorf("exit status %d", status)
			}
		})
	}
}

// injected is a robot whose program panics in a goroutine once the file trigger is there. It keeps the last command for
// ever.
func injected(t *testing.T, program, name string) (p *patient, trigger string) {
	p = prepare(t)
	trigger = filepath.Join(t.TempDir(), "trigger")
	p.cmd = processor(program, "sim", "--world", "plane", "--truth", p.truth, "--ros-args", "-p", "cmd_vel_timeout:=0.0")
	p.cmd.Env = append(append(os.Environ(), p.env...), realTimeLoop, "EPUCK_TASK_PANIC="+name, "EPUCK_TASK_TRIGGER="+trigger)
	return p, trigger
}

// startWithPictures starts the program with a subscriber to its pictures, and returns when it drives and sends some.
func (p *patient) startWithPictures() {
	p.t.Helper()
	p.start()
	viewer := p.command("topic", "hz", "--window", "1", "camera_info")
	out, err := viewer.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := viewer.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = viewer.Process.Kill()
		_ = viewer.Wait()
	})
	if _, err := out.Read(make([]byte, 1)); err != nil {
		p.t.Fatal(err)
	}
}

// tasks gives the names of the goroutines that a program has which drives and is looked at.
func tasks(t *testing.T, program string) []string {
	p, _ := injected(t, program, "none")
	file := filepath.Join(t.TempDir(), "names")
	p.cmd.Env = append(p.cmd.Env, "EPUCK_TASK_NAMES="+file)
	p.startWithPictures()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.signal(os.Interrupt)
	if status := p.wantEnd(); status != frame.ExitOK {
		t.Errorf("exit status %d", status)
	}
	running := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSpace(line[1:])
		if running[name]++; line[0] == '-' {
			running[name] -= 2
		}
	}
	maps.DeleteFunc(running, func(_ string, n int) bool { return n <= 0 })
	return slices.Sorted(maps.Keys(running))
}
