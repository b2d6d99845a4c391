// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var startWord = regexp.MustCompile(`\b(re)?start\b`)

// TestInstallingNeverWaitsForTheRobot: the service counts as started when the robot answers; a package that waited for
// that would hang apt on a robot that is switched off. What is waited for is the unit of the update alone, which ends
// by limits of its own.
func TestInstallingNeverWaitsForTheRobot(t *testing.T) {
	need(t, "root")
	for _, path := range []string{"deploy/debian/postinst", "scripts/install-on-robot", "scripts/robot-update.sh", "scripts/robot-keys.sh"} {
		for line := range strings.Lines(read(t, path)) {
			if line == "systemctl start \"$unit\"\n" && strings.Contains(read(t, path), "\nunit=epuck-driver-update.service\n") {
				continue
			}
			starts := strings.Contains(line, "systemctl") && (startWord.MatchString(line) || strings.Contains(line, "$action"))
			if starts && !strings.Contains(line, "--no-block") || strings.Contains(line, "enable --now") || strings.Contains(line, "deb-systemd-invoke") {
				t.Errorf("%s waits for the service: %s", path, line)
			}
		}
	}
}

// TestPostinstStarts runs the script where systemd seems to run: it starts the service, restarts it after an upgrade,
// and leaves it alone where it is off or the administrator's policy forbids.
func TestPostinstStarts(t *testing.T) {
	s := newSystem(t)
	s.dpkg(t, debian(t, "amd64"))
	if err := os.MkdirAll(filepath.Join(s.dir, "run/systemd/system"), 0o755); err != nil {
		t.Fatal(err)
	}
	const pretend = "#!/bin/sh\ncase \"$*\" in *is-enabled*) exit ${ENABLED:-0};; *is-active*) exit 1;; *) echo \"$*\" >>/tmp/calls;; esac\n"
	s.write(t, "/usr/local/bin/systemctl", pretend)
	s.write(t, "/usr/local/bin/udevadm", "#!/bin/sh\n")
	s.run(t, "chmod +x /usr/local/bin/*; printf '#!/bin/sh\nexit ${POLICY:-0}\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d")
	for _, c := range []struct{ name, env, args, want string }{
		{"first installation", "", "configure", "--no-block start epuck-driver.service"},
		{"upgrade", "", "configure 0.1", "--no-block restart epuck-driver.service"},
		{"switched off by its owner", "ENABLED=1", "configure 0.1", ""},
		{"nothing may start", "POLICY=101", "configure", ""},
	} {
		s.run(t, "rm -f /tmp/calls; PATH=/usr/local/bin:$PATH "+c.env+" /var/lib/dpkg/info/epuck-driver.postinst "+c.args)
		calls := s.read(t, "/tmp/calls")
		if started := strings.Contains(calls, "start epuck-driver.service"); started != (c.want != "") || !strings.Contains(calls, c.want) || !strings.Contains(calls, "daemon-reload") {
			t.Errorf("%s: %q, want %q", c.name, calls, c.want)
		}
	}
}
