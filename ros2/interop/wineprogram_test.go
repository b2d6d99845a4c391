// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestWindowsProgram runs the program for Windows under Wine, in a network namespace of its own, and Cyclone DDS in
// another one: two machines on a cable. The program simulates a robot, serves its page, shows a topic, records and
// reads a bag, and drives by the keys of a console; Cyclone DDS receives the robot's odometry and drives it.
func TestWindowsProgram(t *testing.T) {
	t.Parallel()
	if !suite.Long {
		t.Skip("builds the program for Windows, two minutes of processor time")
	}
	needNamespace(t)
	needWine(t)
	here, err := program() // both are built before Wine starts, whose services do not wait for long
	if err != nil {
		t.Fatalf("building the program: %v", err)
	}
	file := windowsProgram(t)
	hosts := startHosts(t, 0)
	w := startWine(t, hosts[0])
	domain := newDomain()

	if text := w.run(domain, file, "version"); !strings.Contains(text, " windows/amd64\n") {
		t.Errorf("version: %s", text)
	}
	if text := w.run(domain, file, "--help"); !strings.Contains(text, "Usage:\n  epuck-driver ") {
		t.Errorf("help: %s", text)
	}

	robot := startCommand(t, domain, w.command(wineLoader, file, "sim", "--world", "empty").Args...)
	robot.lines.limit = wineLimit
	robot.lines.await(t, "greeting of the simulated robot", func(s string) bool { return strings.HasPrefix(s, "Simulated robot") })
	p := cyclone.startOn(t, hosts[1], domain)
	p.send("reader odom odometry rt/odom %s", qos{reliable: true, depth: 10}.words())
	p.send("writer cmd twist rt/cmd_vel %s", qos{reliable: true, depth: 1}.words())
	p.matched("cmd", 1)
	checkOdometry(t, p.sample("odom"), nil)
	driveUntil(t, p, "moving", 0.05, 0, func(e event) bool { return e.Linear[0] > 0.03 })
	driveUntil(t, p, "stopped", 0, 0, func(e event) bool { return e.Linear[0] == 0 })

	if page := hosts[0].get("http://127.0.0.1:8765/"); !strings.Contains(page, "<title>") {
		t.Errorf("page: %.300s", page)
	}
	if text := w.run(domain, file, "topic", "echo", "--once", "/odom"); !strings.Contains(text, "\nchild_frame_id: base_link\n") {
		t.Errorf("echo: %s", text)
	}
	w.record(domain, file, here)
	w.teleop(domain, file, p)
	robot.interrupt()
	p.quit()
}

// windowsProgram builds the program for Windows, for short tests without SQLite and live video, which compile for
// minutes.
func windowsProgram(t testing.TB) string {
	t.Helper()
	file, tags := filepath.Join(t.TempDir(), "epuck-driver.exe"), ""
	if !suite.Long {
		tags = "nosqlite,nolive"
	}
	goWindows(t, "../..", "build", "-tags", tags, "-o", file, "./cmd/epuck-driver")
	return file
}

// get fetches a page as a program of the host does.
func (h *host) get(url string) string {
	h.t.Helper()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: h.dial}
	ctx, cancel := context.WithTimeout(h.t.Context(), timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		h.t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %s, %v\n%s", url, answer.Status, err, text)
	}
	return string(text)
}

// dial connects in the host's network. The thread that enters it ends with its goroutine.
func (h *host) dial(ctx context.Context, network, addr string) (conn net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var space *os.File
		if space, err = os.Open(fmt.Sprintf("/proc/%d/ns/net", h.pid)); err != nil {
			return
		}
		defer space.Close()
		if err = unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err == nil {
			conn, err = new(net.Dialer).DialContext(ctx, network, addr)
		}
	}()
	<-done
	return conn, err
}

// record records a bag, and reads it by this program and the one for Linux with the same result.
func (w *wine) record(domain uint32, file, linux string) {
	w.t.Helper()
	bag := filepath.Join(w.dir, "bag")
	w.run(domain, file, "bag", "record", "-o", bag, "--duration", "2", "/odom")
	there := w.run(domain, file, "bag", "info", bag)
	here := w.must(w.command(linux, "bag", "info", bag))
	if there != here || !strings.Contains(here, "Topic: /odom | Type: nav_msgs/msg/Odometry | Count: ") {
		w.t.Errorf("bag info\nby Windows:\n%s\nby Linux:\n%s", there, here)
	}
}

// teleop drives by a key of a console, which is held until the peer sees the robot move, and ends by Ctrl-C.
func (w *wine) teleop(domain uint32, file string, p *peer) {
	t := w.t
	t.Helper()
	ours, theirs := openTerminal(t)
	cmd := w.command("env", fmt.Sprint("ROS_DOMAIN_ID=", domain), wineLoader, file, "teleop")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, screen := make(chan error, 1), &lockedBuffer{}
	go func() { ended <- cmd.Wait() }()
	go func() { _, _ = io.Copy(screen, ours) }() // as a terminal does
	press := func(key string) {
		if _, err := ours.WriteString(key); err != nil {
			t.Errorf("the terminal has gone: %v", err)
		}
	}
	deadline := time.Now().Add(wineLimit)
	for p.sample("odom").Linear[0] < 0.03 { // one key for each message of odometry
		if press("i"); time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatalf("no key moves the robot:\n%s", screen.tail(60))
		}
	}
	press("\x03")
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("teleop: %v\n%s", err, screen.tail(60))
		}
	case <-time.After(wineLimit):
		_ = cmd.Process.Kill()
		t.Fatalf("teleop does not end:\n%s", screen.tail(60))
	}
	for p.sample("odom").Linear[0] != 0 {
		if time.Now().After(deadline.Add(wineLimit)) {
			t.Fatal("the robot drives on")
		}
	}
}

// openTerminal makes a pseudo terminal: our end and the program's.
func openTerminal(t testing.TB) (ours, theirs *os.File) {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	ours = open("/dev/ptmx")
	fd := int(ours.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err != nil {
		t.Fatal(err)
	}
	return ours, open(fmt.Sprint("/dev/pts/", n))
}
