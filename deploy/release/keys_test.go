// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// block is a block of code in a document: language and text.
var block = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// class is the folder in which a reader of docs/howto/security.md works: with the program in PATH, and
// scripts/install-on-robot, which installs a package that there is.
type class struct {
	dir string
	env []string
}

// run runs commands of the reader's.
func (c class) run(t *testing.T, script string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// newClass makes the folder for the robot with the options of ssh.
func newClass(t *testing.T, options string) class {
	t.Helper()
	c := class{dir: t.TempDir()}
	for _, dir := range []string{"bin", "scripts"} {
		if err := os.Mkdir(filepath.Join(c.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program(t, "amd64"), filepath.Join(c.dir, "bin/epuck-driver")); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nexec '" + filepath.Join(root, "scripts/install-on-robot") + "' --package '" + debian(t, "amd64") + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(c.dir, "scripts/install-on-robot"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c.env = []string{"PATH=" + filepath.Join(c.dir, "bin") + ":" + os.Getenv("PATH"), "ROS_LOCALHOST_ONLY=1", "UPDATE_SECONDS=60 1",
		"SSH_OPTIONS=-o HostName=127.0.0.1 " + options}
	return c
}

// TestSecuredClass runs each block of docs/howto/security.md as it is there, with a robot in a Debian of its own, whose
// service a simulated robot replaces; then it gives the same keys again and takes them away.
func TestSecuredClass(t *testing.T) {
	if !suite.Long {
		t.Skip("installs the package in a Debian of its own several times, two minutes")
	}
	s := newSystem(t)
	proc := filepath.Join(s.dir, "proc")
	if err := syscall.Mount("proc", proc, "proc", syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(proc, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	c := newClass(t, sshd(t, s))
	blocks := block.FindAllStringSubmatch(read(t, "docs/howto/security.md"), -1)
	if len(blocks) != 6 || blocks[0][1] != "yaml" {
		t.Fatalf("%d blocks", len(blocks))
	}
	if err := os.WriteFile(filepath.Join(c.dir, "class.yaml"), []byte(blocks[0][2]), 0o600); err != nil {
		t.Fatal(err)
	}
	literally := func(i int) string {
		t.Helper()
		out, err := c.run(t, blocks[i][2])
		if err != nil || blocks[i][1] != "sh" {
			t.Fatalf("%s%v\n%s", blocks[i][2], err, out)
		}
		return out
	}
	literally(1)
	robot := exec.Command(program(t, "amd64"), "sim", "--web=off", "--ros-args", "-r", "__ns:=/epuck1")
	robot.Env = append(os.Environ(), "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=7", "ROS_SECURITY_ENABLE=true", "ROS_SECURITY_STRATEGY=Enforce",
		"ROS_SECURITY_KEYSTORE="+filepath.Join(c.dir, "keys"), "ROS_SECURITY_ENCLAVE_OVERRIDE=/teacher")
	if err := robot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = robot.Process.Signal(os.Interrupt)
		_ = robot.Wait()
	})

	const own = "# mine\nROS_LOCALHOST_ONLY=1\n"
	s.write(t, "/etc/default/epuck-driver", own)
	if out := literally(2); !strings.Contains(out, "enclave /epuck1 of /etc/epuck-driver/keys; domain 7") || !strings.Contains(out, "child_frame_id: base_link") {
		t.Errorf("%s", out)
	}
	s.installed(t)
	if settings := s.read(t, "/etc/default/epuck-driver"); !strings.HasPrefix(settings, own) || !strings.Contains(settings, "keys.\n"+blocks[3][2]+"# End") {
		t.Errorf("the settings: %s", settings)
	}
	private(t, s)

	literally(4)
	if out := literally(5); !strings.Contains(out, "enclave /anna of "+c.dir+"/anna; domain 7") {
		t.Errorf("%s", out)
	}
	another := regexp.MustCompile("(?m)^epuck-driver doctor\n").ReplaceAllString(strings.ReplaceAll(blocks[5][2], "/epuck1", "/epuck2"), "")
	if out, err := c.run(t, another); err == nil || !strings.Contains(out, "not permitted") {
		t.Errorf("anna drives epuck2: %v\n%s", err, out)
	}
	again(t, s, c, own)
}

// private: of the keys on a robot the service's user alone can read files and folders.
func private(t *testing.T, s system) {
	t.Helper()
	got := s.run(t, "cd /etc/epuck-driver/keys && find . -printf '%M %u:%g %P\n' | sort -k3")
	want := "drwx------ epuck:epuck \ndrwx------ epuck:epuck enclaves\ndrwx------ epuck:epuck enclaves/epuck1\n"
	for _, name := range []string{"cert.pem", "governance.p7s", "identity_ca.cert.pem", "key.pem", "permissions.p7s", "permissions_ca.cert.pem"} {
		want += "-rw------- epuck:epuck enclaves/epuck1/" + name + "\n"
	}
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("keys:\n%s\nwant\n%s", got, want)
	}
}

// again runs scripts/robot-keys.sh as scripts/install-on-robot does: the same keys change nothing, a namespace that is
// set elsewhere is refused, after a power cut the keys are whole, and without keys the robot is as before.
func again(t *testing.T, s system, c class, own string) {
	t.Helper()
	settings := s.read(t, "/etc/default/epuck-driver")
	command(t, nil, "sh", "-c", "cp -rL '"+c.dir+"/keys/enclaves/epuck1' scripts/robot-keys.sh '"+s.dir+"/tmp/'")
	before := s.files(t)
	same := func(when, args, words string) {
		t.Helper()
		out, err := s.try(t, "sh /tmp/robot-keys.sh "+args)
		if (err != nil) != strings.HasPrefix(words, "/etc") || !strings.Contains(out, words) || !slices.Equal(before, s.files(t)) {
			t.Errorf("%s: %v\n%s", when, err, out)
		}
		private(t, s)
	}
	same("again", "/tmp/epuck1 /epuck1 /epuck1", "nothing has changed")
	same("without the namespace", "/tmp/epuck1 /epuck1", "nothing has changed")
	if s.read(t, "/etc/default/epuck-driver") != settings {
		t.Errorf("other settings: %s", s.read(t, "/etc/default/epuck-driver"))
	}
	s.write(t, "/etc/default/epuck-driver", own+"EPUCK_ARGS=\"-r __ns:=/mine\"\n")
	same("another namespace", "/tmp/epuck1 /epuck1 /epuck1", "/etc/default/epuck-driver sets EPUCK_ARGS already")
	s.write(t, "/etc/default/epuck-driver", settings)
	s.run(t, "cd /etc/epuck-driver && mv keys keys.old && mkdir keys.new && touch keys.new/x")
	same("after a power cut", "/tmp/epuck1 /epuck1", "robot-keys: done")
	s.run(t, "sh /tmp/robot-keys.sh off")
	if s.has("/etc/epuck-driver/keys") || s.read(t, "/etc/default/epuck-driver") != own {
		t.Errorf("without keys: %s", s.read(t, "/etc/default/epuck-driver"))
	}
	s.run(t, "sh /tmp/robot-keys.sh /tmp/epuck1 /class/epuck1 && test -s /etc/epuck-driver/keys/enclaves/class/epuck1/key.pem && dpkg --purge epuck-driver")
	if s.has("/etc/epuck-driver") {
		t.Error("the keys of a package that was purged are there")
	}
}
