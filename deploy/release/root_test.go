// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// system is a Debian of its own in a folder.
type system struct {
	dir string
}

// newSystem unpacks the Debian that scripts/debian-root.sh makes.
func newSystem(t *testing.T) system {
	t.Helper()
	need(t, "root")
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, "scripts/debian-root.sh")).Output()
	if err != nil {
		t.Fatalf("scripts/debian-root.sh: %v", err)
	}
	dir, err := os.MkdirTemp(work, "root-")
	if err != nil {
		t.Fatal(err)
	}
	command(t, nil, "tar", "-xf", strings.TrimSpace(string(out)), "-C", dir)
	return system{dir}
}

// try runs a shell command in the system and returns what it wrote.
func (s system) try(t *testing.T, script string) (string, error) {
	t.Helper()
	return attempt(t.Context(), []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}, "chroot", s.dir, "sh", "-c", script)
}

// run is try for commands that must not fail.
func (s system) run(t *testing.T, script string) string {
	t.Helper()
	out, err := s.try(t, script)
	if err != nil {
		t.Fatalf("in the Debian, %s: %v\n%s", script, err, out)
	}
	return strings.TrimSpace(out)
}

// dpkg installs a package file of this machine.
func (s system) dpkg(t *testing.T, deb string) string {
	t.Helper()
	data, err := os.ReadFile(deb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "tmp", "package.deb"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return s.run(t, "dpkg --force-unsafe-io --force-confdef --force-confold -i /tmp/package.deb && rm /tmp/package.deb")
}

func (s system) read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (s system) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, path), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s system) has(path string) bool {
	_, err := os.Lstat(filepath.Join(s.dir, path))
	return err == nil
}

// files lists every path of the system but those of dpkg's own accounts and of the users.
func (s system) files(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(s.dir, func(path string, _ fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(path, s.dir)
		switch {
		case err != nil:
			return err
		case rel == "/var/lib/dpkg" || rel == "/var/log" || rel == "/var/cache" || rel == "/proc":
			return filepath.SkipDir
		case strings.HasPrefix(rel, "/etc/") && (strings.HasSuffix(rel, "-") || strings.HasSuffix(rel, ".lock")):
			return nil // passwd- and the like
		}
		all = append(all, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// newer makes the package of a later version with other default parameters.
func newer(t *testing.T, deb, version string) string {
	t.Helper()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "newer.deb")
	command(t, nil, "dpkg-deb", "-R", deb, dir)
	for path, change := range map[string]func(string) string{
		"DEBIAN/control": func(s string) string {
			lines := strings.Split(s, "\n")
			for i := range lines {
				if strings.HasPrefix(lines[i], "Version:") {
					lines[i] = "Version: " + version
				}
			}
			return strings.Join(lines, "\n")
		},
		"etc/epuck-driver/params.yaml": func(s string) string { return s + "# new in " + version + "\n" },
		"etc/default/epuck-driver":     func(s string) string { return s + "# new in " + version + "\n" },
	} {
		path = filepath.Join(dir, path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(change(string(data))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command(t, nil, "dpkg-deb", "-Znone", "-b", dir, out)
	return out
}

const (
	parameters = "/etc/epuck-driver/params.yaml"
	unitFile   = "/lib/systemd/system/epuck-driver.service"
	wanted     = "/etc/systemd/system/multi-user.target.wants/epuck-driver.service"
)

// TestPackageLife installs, configures again, upgrades, removes, installs again and purges the package.
func TestPackageLife(t *testing.T) {
	s := newSystem(t)
	deb := debian(t, "amd64")
	before := s.files(t)

	s.dpkg(t, deb)
	s.installed(t)
	s.run(t, "/var/lib/dpkg/info/epuck-driver.postinst configure") // as dpkg does after a power cut
	s.installed(t)
	if got := s.run(t, "epuck-driver version"); !strings.HasPrefix(got, "epuck-driver ") {
		t.Errorf("version says %q", got)
	}
	if got := s.run(t, `bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader epuck-driver; complete -p epuck-driver'`); !strings.Contains(got, "__start_epuck-driver") {
		t.Errorf("bash completes with %q", got)
	}

	// The owner's settings survive an upgrade: parameters, and that the service is off. What is untouched is renewed.
	mine := strings.Replace(s.read(t, parameters), "wheel_radius: 0.02", "wheel_radius: 0.0203", 1)
	s.write(t, parameters, mine)
	s.run(t, "systemctl disable epuck-driver")
	s.dpkg(t, newer(t, deb, "99.0"))
	if s.read(t, parameters) != mine || !strings.Contains(s.read(t, parameters+".dpkg-dist"), "# new in 99.0") {
		t.Error("the upgrade lost the owner's parameters or the new defaults")
	}
	if !strings.Contains(s.read(t, "/etc/default/epuck-driver"), "# new in 99.0") {
		t.Error("an untouched file was not renewed")
	}
	if s.has(wanted) {
		t.Error("the upgrade enabled a service that its owner had disabled")
	}
	s.run(t, "systemctl enable epuck-driver")
	s.dpkg(t, newer(t, deb, "99.1"))
	if !s.has(wanted) {
		t.Error("the upgrade disabled the service")
	}

	s.run(t, "dpkg --force-unsafe-io -r epuck-driver")
	if s.has("/usr/bin/epuck-driver") || s.has(unitFile) || s.read(t, parameters) != mine {
		t.Error("removing left the program or took the parameters")
	}
	s.dpkg(t, deb)
	if s.read(t, parameters) != mine || !s.has(wanted) {
		t.Error("installing again lost the parameters or left the service off")
	}

	s.run(t, "mkdir -p /var/lib/epuck-driver/camera_info && touch /var/lib/epuck-driver/camera_info/epuck.yaml")
	s.run(t, "dpkg --force-unsafe-io -P epuck-driver")
	after := s.files(t)
	for _, path := range after {
		if !slices.Contains(before, path) {
			t.Errorf("purging left %s", path)
		}
	}
	for _, path := range before {
		if !slices.Contains(after, path) {
			t.Errorf("purging took %s", path)
		}
	}
	if out, err := s.try(t, "dpkg -s epuck-driver"); err == nil {
		t.Errorf("dpkg still knows the package: %s", out)
	}
}

// installed checks what an installation leaves: the user in the groups of the devices, and the service enabled.
func (s system) installed(t *testing.T) {
	t.Helper()
	groups := strings.Fields(s.run(t, "id -nG epuck"))
	slices.Sort(groups)
	if !slices.Equal(groups, []string{"epuck", "gpio", "i2c", "video"}) {
		t.Errorf("user epuck is in %v", groups)
	}
	if entry := strings.Split(s.run(t, "getent passwd epuck"), ":"); entry[5] != "/var/lib/epuck-driver" || !strings.HasSuffix(entry[6], "nologin") {
		t.Errorf("user epuck: %v", entry)
	}
	if target, err := os.Readlink(filepath.Join(s.dir, wanted)); err != nil || !strings.HasSuffix(target, "/systemd/system/epuck-driver.service") {
		t.Errorf("not started at boot: %q, %v", target, err)
	}
	for path := range packaged {
		if !s.has(path) && !strings.Contains(path, "/doc/") { // this Debian leaves out documentation
			t.Errorf("%s is missing", path)
		}
	}
}

// TestPackageWithoutSystemd: the user is made by other means where systemd-sysusers is missing.
func TestPackageWithoutSystemd(t *testing.T) {
	s := newSystem(t)
	// one of the groups is there already
	s.run(t, "mv /usr/bin/systemd-sysusers /usr/bin/udevadm /tmp; groupadd --system i2c")
	for range 2 {
		s.dpkg(t, debian(t, "amd64"))
		s.installed(t)
	}
	s.run(t, "dpkg --force-unsafe-io -P epuck-driver")
}

// TestUnitsUserAndDevicesAgree: unit, users and rules name the same user and groups.
func TestUnitsUserAndDevicesAgree(t *testing.T) {
	unit, users, rules, postinst := read(t, "deploy/systemd/epuck-driver.service"), read(t, "deploy/sysusers/epuck-driver.conf"), read(t, "deploy/udev/60-epuck-driver.rules"), read(t, "deploy/debian/postinst")
	if !strings.Contains(unit, "\nUser=epuck\n") || !strings.Contains(users, "\nu epuck ") {
		t.Error("the unit runs as another user than the one that is made")
	}
	for _, group := range []string{"i2c", "video", "gpio"} {
		for where, found := range map[string]bool{
			"unit":     slices.Contains(strings.Fields(unit[strings.Index(unit, "SupplementaryGroups=")+len("SupplementaryGroups="):])[:3], group),
			"sysusers": strings.Contains(users, fmt.Sprintf("\nm epuck %s\n", group)),
			"udev":     strings.Contains(rules, fmt.Sprintf("GROUP=%q", group)),
			"postinst": strings.Contains(postinst, " "+group+" "),
		} {
			if !found {
				t.Errorf("%s knows nothing of the group %s", where, group)
			}
		}
	}
	for _, path := range []string{parameters, "/etc/default/epuck-driver", "/usr/bin/epuck-driver"} {
		if !strings.Contains(unit, path) {
			t.Errorf("the unit does not use %s, which the package installs", path)
		}
	}
}
