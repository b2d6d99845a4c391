// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// twoAtOnce: of two who install at the same time one does, and the other gets an error.
func twoAtOnce(t *testing.T, s system, good string, env []string) {
	t.Helper()
	var both sync.WaitGroup
	var out [2]string
	for i := range out {
		both.Go(func() {
			out[i], _ = attempt(t.Context(), env, "scripts/install-on-robot", "--package", good, "pi@127.0.0.1")
		})
	}
	both.Wait()
	all := out[0] + out[1]
	if strings.Count(all, "the new package has settled") != 1 || strings.Count(all, "another update of pi@127.0.0.1 is under way") != 1 {
		t.Errorf("two at once:\n%s\n\n%s", out[0], out[1])
	}
	s.drives(t, "ii 99.8")
}

// powerCuts ends an update at several moments and starts the robot again, where systemd continues it. What is
// installed then, and runs, is always the same.
func powerCuts(t *testing.T, s system, later, end string, env []string) {
	t.Helper()
	settings := s.read(t, "/etc/default/epuck-driver")
	defer func() {
		if now := s.read(t, "/etc/default/epuck-driver"); now != settings {
			t.Errorf("the owner's settings were\n%s\nand are\n%s", settings, now)
		}
	}()
	moments := 6
	if !suite.Long {
		moments = 1
	}
	for i := range moments {
		after := time.Duration(i*i) * 100 * time.Millisecond // most of them while dpkg works
		cut := s.powerCut(t, later, after, env)
		if s.has(updateWanted) {
			s.run(t, "PATH=/usr/local/bin:$PATH systemctl start epuck-driver-update.service")
		}
		if now := s.run(t, whichVersion); now != end {
			t.Errorf("power cut after %v (%v): now there is %s, want %s\n%s", after, cut, now, end, s.read(t, "/var/log/epuck-update.log"))
		}
		s.drives(t, end)
	}
}

const updateWanted = "/etc/systemd/system/multi-user.target.wants/epuck-driver-update.service"

// powerCut begins an update and kills all that takes part in it, on both sides, some time after it began its work. It
// reports whether anything was left to kill.
func (s system) powerCut(t *testing.T, later string, after time.Duration, env []string) bool {
	t.Helper()
	pidFile := filepath.Join(s.dir, "run/epuck-update.pid")
	_ = os.Remove(pidFile)
	cmd := exec.Command("scripts/install-on-robot", "--package", later, "pi@127.0.0.1")
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	pid := 0
	for pid == 0 {
		select {
		case err := <-ended: // it was installed already
			ended <- err
			pid = -1
		case <-time.After(20 * time.Millisecond):
			text, _ := os.ReadFile(pidFile)
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		}
	}
	if pid < 0 {
		return false
	}
	<-time.After(after)
	cut := syscall.Kill(-pid, syscall.SIGKILL) == nil
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
	return cut
}

// drives checks that the robot's program is of that version, runs, and that nothing of an update is left.
func (s system) drives(t *testing.T, version string) {
	t.Helper()
	if now := s.run(t, whichVersion); now != version {
		t.Errorf("installed is %s, want %s", now, version)
	}
	if out, err := s.try(t, "epuck-driver version"); err != nil {
		t.Errorf("the program does not run: %v, %s", err, out)
	}
	if left, _ := filepath.Glob(s.dir + "/var/cache/epuck-driver/update*"); len(left) > 0 || s.has(updateWanted) {
		t.Errorf("left of an update: %q", left)
	}
}

// fullDisk: where there is no space for a package nothing is changed; one that fills the disk although it said that it
// would not leaves the one before.
func fullDisk(t *testing.T, s system, deb string, env []string) {
	t.Helper()
	before := s.run(t, whichVersion)
	liar, dir := filepath.Join(t.TempDir(), "liar.deb"), t.TempDir()
	command(t, nil, "dpkg-deb", "-R", newer(t, deb, "99.11"), dir)
	command(t, nil, "truncate", "-s", "64M", filepath.Join(dir, "usr/bin/epuck-padding"))
	command(t, nil, "sed", "-i", "s/^Installed-Size:.*/Installed-Size: 1/", filepath.Join(dir, "DEBIAN/control"))
	command(t, nil, "dpkg-deb", "-Zgzip", "-b", dir, liar)
	programs := filepath.Join(s.dir, "usr/bin")
	for name, c := range map[string]struct {
		deb   string
		spare int // MiB
		words string
	}{
		"no space":         {newer(t, deb, "99.12"), 5, "nothing was changed"},
		"the disk is full": {liar, 50, "is back"},
	} {
		full := exec.Command("sh", "-ec", fmt.Sprintf(`size=$(($(du -sm "$D" | cut -f1) + %d))
mount -t tmpfs -o size=${size}m,mode=755 tmpfs /mnt && cp -a "$D/." /mnt/ && mount --move /mnt "$D"`, c.spare))
		full.Env = append(os.Environ(), "D="+programs)
		if out, err := full.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := attempt(t.Context(), env, "scripts/install-on-robot", "--package", c.deb, "pi@127.0.0.1")
		if err == nil || !strings.Contains(out, c.words) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		s.drives(t, before)
		command(t, nil, "umount", "-l", programs)
	}
}
