// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/deploy/card"
)

// epuckCard runs the program and gives its status and what it wrote.
func epuckCard(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), args, &out, &out)
	return status, out.String()
}

// put writes a file into a new folder.
func put(t *testing.T, name, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		words  string
	}{
		{"", 2, "usage"}, {"dance", 2, "usage"}, {"check", 1, "wants a file"}, {"check /no/such", 1, "no such file"},
		{"robots -n 0", 1, "0 robots"}, {"robots -n 1000", 1, "1000 robots"}, {"robots -n 2 -from /no/such", 1, "no such file"},
		{"robots -x", 1, "not defined"}, {"apply -x", 1, "not defined"}, {"apply -h", 0, "boot partition"},
	} {
		if status, out := epuckCard(t, strings.Fields(c.args)...); status != c.status || !strings.Contains(out, c.words) {
			t.Errorf("%q: %d %s", c.args, status, out)
		}
	}
}

func TestCheck(t *testing.T) {
	if status, out := epuckCard(t, "check", "../../deploy/card/epuck.txt"); status != 0 || out != "" {
		t.Errorf("%d %s", status, out)
	}
	dir := put(t, "epuck.txt", "name = a b\n")
	if status, out := epuckCard(t, "check", filepath.Join(dir, "epuck.txt")); status != 1 || !strings.Contains(out, "line 1, name") {
		t.Errorf("%d %s", status, out)
	}
}

// Mistakes are not fatal: the robot still starts. Their log is written to the folder of the file.
func TestApply(t *testing.T) {
	boot, root := put(t, "epuck.txt", "namespace = r7\nnaem = x\n"), put(t, "run/epuck-card/damaged", "e2fsck: exit status 4\n")
	status, out := epuckCard(t, "apply", "-dark", "-boot", boot, "-root", root)
	for _, want := range []string{"applied: true", "line 2, naem", "e2fsck: exit status 4"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	log, err := os.ReadFile(filepath.Join(boot, "epuck-log.txt"))
	if status != 0 || err != nil || !strings.Contains(string(log), "naem") {
		t.Errorf("%d, %v, %s", status, err, log)
	}
	if text, err := os.ReadFile(filepath.Join(root, "etc/default/epuck-driver")); err != nil || !strings.Contains(string(text), "__ns:=/r7") {
		t.Errorf("%s, %v", text, err)
	}
	if status, out := epuckCard(t, "apply", "-dark", "-boot", boot, "-root", root); status != 0 || !strings.Contains(out, "applied: false") {
		t.Errorf("%d, %s", status, out)
	}
}

func TestRobots(t *testing.T) {
	to := filepath.Join(t.TempDir(), "class")
	status, out := epuckCard(t, "robots", "-n", "20", "-from", "../../deploy/card/epuck.txt", "-to", to)
	if status != 0 || strings.Count(out, "\n") != 20 {
		t.Fatalf("%d, %s", status, out)
	}
	for _, name := range []string{"robot01", "robot20"} {
		data, err := os.ReadFile(filepath.Join(to, name, "epuck.txt"))
		if s, mistakes := card.Parse(data); err != nil || len(mistakes) > 0 || s.Name != name || s.Namespace != "/"+name {
			t.Errorf("%+v, %v, %v", s, mistakes, err)
		}
	}
	bad := put(t, "epuck.txt", "ros_domain = x")
	if status, out := epuckCard(t, "robots", "-n", "2", "-from", filepath.Join(bad, "epuck.txt"), "-to", to); status != 1 || !strings.Contains(out, "ros_domain") {
		t.Errorf("%d, %s", status, out)
	}
}

func TestRunProgram(t *testing.T) {
	if err := runProgram(t.Context(), "a b\n", "grep", "-q", "a b"); err != nil {
		t.Error(err)
	}
	if err := runProgram(t.Context(), "", "sh", "-c", "echo no disk left; exit 3"); err == nil || !strings.Contains(err.Error(), "no disk left") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := runProgram(ctx, "", "true"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A class's files hold all that the template explains and sets; a folder that is a file stops the
// writing.
func TestRobotsKeepTheTemplate(t *testing.T) {
	from := filepath.Join(put(t, "t.txt", "# ours\nwifi = class\nwifi_password = 12345678\nname = x\n"), "t.txt")
	to := t.TempDir()
	if status, out := epuckCard(t, "robots", "-n", "100", "-from", from, "-to", to); status != 0 || !strings.Contains(out, "robot001/epuck.txt") {
		t.Fatalf("%d, %s", status, out)
	}
	for number, want := range map[string]string{"robot007": "robot007", "robot100": "robot100"} {
		data, err := os.ReadFile(filepath.Join(to, number, "epuck.txt"))
		if text := "# ours\r\nwifi = class\r\nwifi_password = 12345678\r\nname = " + want + "\r\nnamespace = " + want + "\r\n"; err != nil || string(data) != text {
			t.Errorf("%q, %v", data, err)
		}
	}
	if entries, err := os.ReadDir(to); err != nil || len(entries) != 100 {
		t.Errorf("%d folders, %v", len(entries), err)
	}
	if status, out := epuckCard(t, "robots", "-n", "1", "-from", from, "-to", from); status != 1 || !strings.Contains(out, "not a directory") {
		t.Errorf("%d, %s", status, out)
	}
}

// A boot partition without epuck.txt is logged and not fatal; one that is not writable is fatal.
func TestApplyWithoutFile(t *testing.T) {
	boot := t.TempDir()
	status, out := epuckCard(t, "apply", "-dark", "-boot", boot, "-root", t.TempDir())
	log, err := os.ReadFile(filepath.Join(boot, "epuck-log.txt"))
	if status != 0 || !strings.Contains(out, "no such file on the boot partition") || err != nil || !strings.Contains(string(log), "magenta") {
		t.Errorf("%d, %s, %v, %s", status, out, err, log)
	}
	if status, out := epuckCard(t, "apply", "-dark", "-boot", filepath.Join(boot, "none"), "-root", t.TempDir()); status != 1 || !strings.Contains(out, "none") {
		t.Errorf("%d, %s", status, out)
	}
	refused := errors.New("refused")
	if err := writable(boot, func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
}
