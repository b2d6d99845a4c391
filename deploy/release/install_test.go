// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// fakes puts programs of our own in front of PATH; each is a shell script.
func fakes(t *testing.T, scripts map[string]string) (path string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

func TestInstallDryRunSaysEverythingAndDoesNothing(t *testing.T) {
	trap := "echo \"$0 $*\" >>\"$TRAPPED\"; exit 1\n"
	trapped := filepath.Join(t.TempDir(), "trapped")
	out := command(t, []string{fakes(t, map[string]string{"ssh": trap, "scp": trap, "go": trap, "dpkg-deb": trap}), "TRAPPED=" + trapped},
		"scripts/install-on-robot", "--dry-run", "pi@robot")
	if data, err := os.ReadFile(trapped); err == nil {
		t.Errorf("a dry run called %s", data)
	}
	if out := command(t, nil, "scripts/install-on-robot", "--dry-run", "--keys", "off", "pi@robot"); !strings.Contains(out, "$ sudo sh /tmp/epuck-install.XXXXXX/keys.sh off;") {
		t.Error(out)
	}
	for _, words := range []string{"looking at pi@robot", "building the package", "copying", "sudo sh /tmp/epuck-install.XXXXXX/update.sh /tmp/epuck-install.XXXXXX/epuck-driver.deb 120 10", "the package before comes back", "epuck-driver doctor", "topic echo --once"} {
		if !strings.Contains(out, words) {
			t.Errorf("the dry run does not print %q:\n%s", words, out)
		}
	}
}

func TestInstallRefusals(t *testing.T) {
	arm64 := "case \"$*\" in *print-architecture*) printf 'riscv64\\n1000\\nnone\\nnone\\n';; esac\n"
	for _, c := range []struct {
		name, ssh string
		args      []string
		status    int
		words     string
	}{
		{"no host", "", nil, 2, "usage:"},
		{"two hosts", "", []string{"a", "b"}, 2, "usage:"},
		{"unknown option", "", []string{"--fast", "a"}, 2, "no option --fast"},
		{"package that there is not", "", []string{"--package", "/no/such.deb", "a"}, 1, "/no/such.deb can't be read"},
		{"keys that there are not", "", []string{"--keys", "/no/such", "a"}, 1, "/no/such/identity_ca.cert.pem is missing or empty: nothing was changed"},
		{"keys whose name is none", "", []string{"--keys", "/a/b-c", "a"}, 1, "/b-c is no name of an enclave"},
		{"namespace that is none", "", []string{"--keys", "/no/such", "--namespace", "a;b", "a"}, 1, "/a;b is no namespace"},
		{"namespace without keys", "", []string{"--namespace", "a", "a"}, 1, "--namespace is for --keys FOLDER"},
		{"host that there is not", "exit 255\n", []string{"absent"}, 1, "absent can't be reached"},
		{"machine that there is no package for", arm64, []string{"board"}, 1, "architecture riscv64; there are packages for armhf, arm64 and amd64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "scripts/install-on-robot", c.args...)
			cmd.Dir, cmd.Env = root, append(os.Environ(), fakes(t, map[string]string{"ssh": c.ssh, "scp": "exit 1\n"}))
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.status || !bytes.Contains(out, []byte(c.words)) {
				t.Errorf("%v: %s\nwant status %d and %q", err, out, c.status, c.words)
			}
		})
	}
}

func TestInstallRefusesAPackageForAnotherMachine(t *testing.T) {
	pi := "case \"$*\" in *print-architecture*) printf 'armhf\\n1000\\nnone\\nnone\\n';; esac\n"
	out, err := attempt(t.Context(), []string{fakes(t, map[string]string{"ssh": pi, "scp": "exit 1\n"})}, "scripts/install-on-robot", "--package", debian(t, "amd64"), "pi@robot")
	if err == nil || !strings.Contains(out, "is for amd64, pi@robot takes armhf") {
		t.Errorf("%v: %s", err, out)
	}
}

// sshd runs an SSH server in a Debian of its own, on loopback, and returns the options of ssh and scp that reach it.
func sshd(t *testing.T, s system) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key")
	command(t, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, `useradd --create-home --shell /bin/bash pi && echo 'pi ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/pi && ssh-keygen -A &&
		mkdir -p /run/sshd && install -d -m 700 -o pi -g pi /home/pi/.ssh && usermod -p '*' pi`)
	s.write(t, "/home/pi/.ssh/authorized_keys", string(public))

	// A Debian in a folder has no systemd to start services with; enabling works on its files. The service is as active
	// as its program can say its version, and a file makes it one that is started again and again.
	s.write(t, "/usr/local/bin/systemctl", `#!/bin/sh
case "$*" in
"enable epuck-driver.service") exec /usr/bin/systemctl -q --root=/ enable epuck-driver.service ;;
"--no-block start epuck-driver.service"|"--no-block try-restart epuck-driver.service") ;;
"start epuck-driver-update.service") # it is no child of the connection's
  program=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/epuck-driver-update.service)
  exec setsid --wait sh -c 'echo $$ >/run/epuck-update.pid; exec "$@"' - $program ;;
"-q enable epuck-driver-update.service"|"-q disable epuck-driver-update.service") exec /usr/bin/systemctl --root=/ $* ;;
daemon-reload) ;;
"is-active epuck-driver.service") timeout 1 epuck-driver version >/dev/null && echo active ;;
"show -p NRestarts --value epuck-driver.service")
  case $(timeout 1 epuck-driver version) in *restless*) echo x >>/tmp/restarts ;; esac
  cat /tmp/restarts 2>/dev/null | wc -l ;;
*) exit 1 ;;
esac
`)
	// sudo looks its own name up
	s.run(t, "chmod +x /usr/local/bin/systemctl; echo 127.0.0.1 localhost $(hostname) >/etc/hosts; : >/etc/resolv.conf")
	var log bytes.Buffer
	cmd := exec.Command("chroot", s.dir, "/usr/sbin/sshd", "-D", "-e", "-o", "UsePAM=no", "-o", "PidFile=none",
		"-o", fmt.Sprintf("ListenAddress=127.0.0.1:%d", port))
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("sshd: %s", log.String())
		}
	})
	options := fmt.Sprintf("-F none -o Port=%d -o IdentityFile=%s -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectionAttempts=20", port, key)
	command(t, nil, "sh", "-c", "ssh "+options+" pi@127.0.0.1 true")
	return options
}

// TestInstallOnRobot installs by real SSH into a Debian of its own, where a simulated robot replaces the service
// that only systemd can start; then once more, which changes nothing.
func TestInstallOnRobot(t *testing.T) {
	s := newSystem(t)
	deb := debian(t, "amd64")
	proc := filepath.Join(s.dir, "proc") // how long it runs already
	if err := syscall.Mount("proc", proc, "proc", syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(proc, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	options := sshd(t, s)

	domain := os.Getpid()%200 + 20
	settings := fmt.Sprintf("# mine\nROS_LOCALHOST_ONLY=1\nROS_DOMAIN_ID=%d\nEPUCK_ARGS=\"-r __ns:=/robot1\"\n", domain)
	s.write(t, "/etc/default/epuck-driver", settings)
	robot := exec.Command(program(t, "amd64"), "sim", "--ros-args", "-r", "__ns:=/robot1")
	robot.Env = append(os.Environ(), "ROS_LOCALHOST_ONLY=1", fmt.Sprintf("ROS_DOMAIN_ID=%d", domain))
	if err := robot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = robot.Process.Signal(os.Interrupt)
		_ = robot.Wait()
	})

	install := func() string {
		t.Helper()
		return command(t, []string{"SSH_OPTIONS=" + options, "UPDATE_SECONDS=60 1"}, "scripts/install-on-robot", "--package", deb, "pi@127.0.0.1")
	}
	first := install()
	for _, words := range []string{"it takes packages for amd64; installed now: none", "copying " + deb, "Setting up epuck-driver", "child_frame_id: base_link", "done."} {
		if !strings.Contains(first, words) {
			t.Errorf("no %q in:\n%s", words, first)
		}
	}
	s.installed(t)
	if s.read(t, "/etc/default/epuck-driver") != settings {
		t.Error("the settings that were there have been replaced")
	}
	for _, path := range []string{"/tmp/epuck-install.*", "/var/cache/epuck-driver/update*", "/etc/systemd/system/epuck-driver-update*", "/etc/systemd/system/*/epuck-driver-update*"} {
		if left, _ := filepath.Glob(s.dir + path); len(left) > 0 {
			t.Errorf("left on the robot: %q", left)
		}
	}

	before := s.files(t)
	second := install()
	if !strings.Contains(second, "is installed already") || strings.Contains(second, "copying") || !strings.Contains(second, "child_frame_id: base_link") {
		t.Errorf("the second time:\n%s", second)
	}
	if after := s.files(t); !slices.Equal(before, after) {
		t.Errorf("the second time changed files: %d, then %d", len(before), len(after))
	}
	updates(t, s, deb, options)
}
