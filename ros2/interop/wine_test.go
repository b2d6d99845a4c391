// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// wineLoader is Wine's own program of Debian's package wine64. The command wine is a script before it.
const wineLoader = "/usr/lib/wine/wine64"

// wineLimit bounds a wait for a program under Wine: many times what one takes to start on a busy machine.
const wineLimit = 5 * time.Minute

// wine is an installation of Wine, in a folder and on a host of its own: Windows as far as the program sees.
type wine struct {
	t    testing.TB
	host *host
	dir  string // for its own files and those of the programs
	env  []string
}

// needWine ends the test unless Wine is installed.
func needWine(t testing.TB) {
	t.Helper()
	for _, file := range []string{wineLoader, "/usr/bin/wineserver", "/usr/bin/x86_64-w64-mingw32-gcc"} {
		if _, err := os.Stat(file); err != nil {
			unavailable(t, "no Wine (Debian: apt install wine wine64 gcc-mingw-w64-x86-64): %v", err)
		}
	}
}

// startWine installs Wine on a host. It ends with the test.
func startWine(t testing.TB, h *host) *wine {
	t.Helper()
	dir := t.TempDir()
	w := &wine{t: t, host: h, dir: dir, env: []string{
		"HOME=" + dir, "WINEPREFIX=" + filepath.Join(dir, "prefix"), "WINELOADER=" + wineLoader, "WINEDEBUG=-all", "TZ=UTC",
		// no .NET and no browser, which Wine would ask for; nothing in the menu of a desktop
		"WINEDLLOVERRIDES=bcryptprimitives=n;mscoree,mshtml=;winemenubuilder.exe=d", "DISPLAY=",
	}}
	if err := os.Mkdir(filepath.Join(dir, "prefix"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.must(w.command("wineserver", "-p600")) // keeps Wine's services for so long after the last program, s; or until -k
	t.Cleanup(func() {
		w.must(w.command("wineserver", "-k"))
		w.must(w.command("wineserver", "-w"))
	})
	w.must(w.command(wineLoader, "wineboot", "--init"))
	system := filepath.Join(dir, "prefix", "drive_c", "windows", "system32")
	w.must(exec.Command("x86_64-w64-mingw32-gcc", "-shared", "-Wall", "-Wextra", "-o",
		filepath.Join(system, "bcryptprimitives.dll"), "testdata/wine/processprng.c", "-ladvapi32"))
	return w
}

// command is a command on Wine's host.
func (w *wine) command(name string, args ...string) *exec.Cmd {
	return w.host.command("env", slices.Concat(w.env, []string{name}, args)...)
}

// must runs a command that has to succeed, and returns what it wrote.
func (w *wine) must(cmd *exec.Cmd) string {
	w.t.Helper()
	text, err := w.try(cmd)
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return text
}

// try runs a command and returns what it wrote: into a file, which Wine's services may keep open.
func (w *wine) try(cmd *exec.Cmd) (string, error) {
	w.t.Helper()
	out, err := os.CreateTemp(w.dir, "output")
	if err != nil {
		w.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	failed := cmd.Run()
	text, err := os.ReadFile(out.Name())
	return strings.ReplaceAll(string(text), "\r\n", "\n"), errors.Join(failed, err)
}

// goWindows runs the go command for Windows.
func goWindows(t testing.TB, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// run runs a program to its end and returns what it wrote.
func (w *wine) run(domain uint32, program string, args ...string) string {
	w.t.Helper()
	return w.must(w.command("env", slices.Concat([]string{fmt.Sprint("ROS_DOMAIN_ID=", domain), wineLoader, program}, args)...))
}
