// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// whichVersion returns which version is installed, and how.
const whichVersion = "dpkg-query -W -f='${db:Status-Abbrev}${Version}' epuck-driver"

// with makes the package of a later version whose program is a script; $0-true is the true one.
func with(t *testing.T, deb, version, script string) string {
	t.Helper()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), version+".deb")
	command(t, nil, "dpkg-deb", "-R", newer(t, deb, version), dir)
	program := filepath.Join(dir, "usr/bin/epuck-driver")
	if err := os.Rename(program, program+"-true"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	command(t, nil, "dpkg-deb", "-Znone", "-b", dir, out)
	return out
}

// updates tries what becomes of later packages on a robot that drives: one that is good stays, one that does not start,
// gives no odometry or is started again and again goes, and so does one whose installation fails. Without the tag long
// it tries one of these.
func updates(t *testing.T, s system, deb, options string) {
	t.Helper()
	env := []string{"SSH_OPTIONS=" + options, "UPDATE_SECONDS=4 1"}
	const version = whichVersion
	first := s.run(t, version)
	broken := newer(t, deb, "99.4")
	dir := t.TempDir()
	command(t, nil, "dpkg-deb", "-R", broken, dir)
	if err := os.WriteFile(filepath.Join(dir, "DEBIAN/postinst"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	command(t, nil, "dpkg-deb", "-Znone", "-b", dir, broken)
	for name, later := range map[string]string{
		"does not start":               with(t, deb, "99.1", "exit 1\n"),
		"gives no odometry":            with(t, deb, "99.2", "[ \"$1\" = version ] && exec $0-true \"$@\"\nexit 1\n"),
		"hangs":                        with(t, deb, "99.7", "exec sleep 1000\n"),
		"is started again":             with(t, deb, "99.3", "[ \"$1\" = version ] && echo restless\nexec $0-true \"$@\"\n"),
		"installation that goes wrong": broken,
	} {
		if !suite.Long && name != "gives no odometry" {
			continue
		}
		out, err := attempt(t.Context(), env, "scripts/install-on-robot", "--package", later, "pi@127.0.0.1")
		if err == nil || !strings.Contains(out, "did not settle on pi@127.0.0.1, "+strings.TrimPrefix(first, "ii ")+" is back") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if now := s.run(t, version); now != first {
			t.Errorf("%s: now there is %s, was %s", name, now, first)
		}
		s.run(t, "epuck-driver version")
	}

	good := newer(t, deb, "99.5")
	if out := command(t, env, "scripts/install-on-robot", "--package", good, "pi@127.0.0.1"); !strings.Contains(out, "the new package has settled") {
		t.Errorf("a good package:\n%s", out)
	}
	if now := s.run(t, version); now != "ii 99.5" {
		t.Errorf("after a good package there is %s", now)
	}
	if kept := s.run(t, "dpkg-deb -f /var/cache/epuck-driver/installed.deb Version"); kept != "99.5" {
		t.Errorf("to come back to %s is kept", kept)
	}
	brokenConnection(t, s, with(t, deb, "99.6", "exit 1\n"), env, version)
	twoAtOnce(t, s, newer(t, deb, "99.8"), env)
	s.run(t, "rm /var/cache/epuck-driver/installed.deb") // as where a package was installed in another way
	powerCuts(t, s, with(t, deb, "99.9", "exit 1\n"), "ii 99.8", env)
	patient := []string{env[0], "UPDATE_SECONDS=120 1"}
	powerCuts(t, s, newer(t, deb, "99.10"), "ii 99.10", patient)
	fullDisk(t, s, deb, env)
}

// brokenConnection: the connection breaks while a bad package is being installed; the robot goes back by itself.
func brokenConnection(t *testing.T, s system, bad string, env []string, version string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command("scripts/install-on-robot", "--package", bad, "pi@127.0.0.1")
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	await := func(what string, met func() bool) {
		t.Helper()
		for end := time.After(2 * time.Minute); !met(); {
			select {
			case <-end:
				t.Fatalf("never %s:\n%s", what, s.read(t, "/var/log/epuck-update.log"))
			case <-tick.C:
			}
		}
	}
	installed := func() string { out, _ := s.try(t, version); return out }
	await("installed", func() bool { return strings.HasPrefix(installed(), "ii 99.6") })
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	await("back", func() bool { return strings.HasPrefix(installed(), "ii 99.5") })
	await("logged", func() bool { return strings.Contains(s.read(t, "/var/log/epuck-update.log"), "99.5 is back\n") })
}
