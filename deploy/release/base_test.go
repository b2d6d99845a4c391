// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// archive is a Debian archive in a folder of a system, with one package, part.
type archive struct {
	system
	gpg string // folder of its keys
}

// newArchive makes keys and publishes version 1 of the package, which it installs.
func newArchive(t *testing.T, s system) *archive {
	t.Helper()
	gpg, err := os.MkdirTemp("", "gpg") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", gpg, "--kill", "all").Run()
		_ = os.RemoveAll(gpg)
	})
	a := &archive{s, gpg}
	for _, name := range []string{"owner", "stranger"} {
		command(t, nil, "gpg", "--homedir", gpg, "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never")
	}
	command(t, nil, "gpg", "--homedir", gpg, "--batch", "--yes", "--output", filepath.Join(s.dir, "usr/share/keyrings/part.gpg"), "--export", "owner")
	a.publish(t, "1", "owner")
	s.run(t, "rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*; dpkg -i /srv/part_1.deb")
	s.write(t, "/etc/apt/sources.list", "deb [signed-by=/usr/share/keyrings/part.gpg] file:/srv ./\n")
	return a
}

// publish replaces the archive's package and has its index signed; without a key it is not.
func (a *archive) publish(t *testing.T, version, key string) {
	t.Helper()
	dir, deb := t.TempDir(), filepath.Join(a.dir, "srv/part_"+version+".deb")
	must(t, os.MkdirAll(filepath.Join(dir, "DEBIAN"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "DEBIAN/control"),
		fmt.Appendf(nil, "Package: part\nVersion: %s\nArchitecture: all\nMaintainer: Test <n@example.org>\nDescription: a part\n", version), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "version"), []byte(version), 0o644))
	command(t, nil, "dpkg-deb", "-Znone", "--root-owner-group", "-b", dir, deb)
	command(t, []string{"D=" + filepath.Dir(deb), "DEB=" + deb}, "sh", "-ec", `cd "$D" && rm -f InRelease Release.gpg
{ dpkg-deb -f "$DEB"; printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$(basename "$DEB")" "$(stat -c %s "$DEB")" "$(sha256sum "$DEB" | cut -d' ' -f1)"; } >Packages
printf 'Origin: test\nSuite: test\nCodename: test\nDate: %s\nSHA256:\n %s %s Packages\n' "$(date -Ru)" "$(sha256sum Packages | cut -d' ' -f1)" "$(stat -c %s Packages)" >Release`)
	if key != "" {
		srv := filepath.Dir(deb)
		command(t, nil, "gpg", "--homedir", a.gpg, "--batch", "--yes", "--local-user", key, "--clearsign", "--output", srv+"/InRelease", srv+"/Release")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestBaseUpdateTrustsSignedArchivesOnly: robot-update.sh --base takes what a key that the robot trusts has signed, and
// nothing else; a base without security updates is said to be one.
func TestBaseUpdateTrustsSignedArchivesOnly(t *testing.T) {
	need(t, "scripts")
	s := newSystem(t)
	s.run(t, `printf '#!/bin/sh\ncase "$*" in "start epuck-base-update.service") exec $(sed -n "s/^ExecStart=//p" /etc/systemd/system/epuck-base-update.service);; esac\n' >/usr/local/bin/systemctl
chmod +x /usr/local/bin/systemctl`)
	proc := filepath.Join(s.dir, "proc")
	must(t, syscall.Mount("proc", proc, "proc", syscall.MS_RDONLY, ""))
	t.Cleanup(func() { must(t, syscall.Unmount(proc, syscall.MNT_DETACH)) })
	s.write(t, "/tmp/update.sh", read(t, "scripts/robot-update.sh"))
	a := newArchive(t, s)
	armel := `#!/bin/sh
[ "$1" = --print-architecture ] && echo armel || exec /usr/bin/dpkg "$@"
`
	for _, c := range []struct {
		name    string
		prepare func()
		status  int
		words   string
		version string // of the package afterwards
	}{
		{"not signed", func() { a.publish(t, "2", "") }, 7, "has signed it", "1"},
		{"signed by a stranger", func() { a.publish(t, "2", "stranger") }, 7, "has signed it", "1"},
		{"changed after it was signed", func() {
			a.publish(t, "2", "owner")
			s.run(t, "echo >>/srv/part_2.deb")
		}, 7, "not all of it", "1"},
		{"index changed after it was signed", func() {
			a.publish(t, "2", "owner")
			s.run(t, "echo >>/srv/Packages")
		}, 7, "was not updated", "1"},
		{"trusted without a signature", func() {
			a.publish(t, "2", "")
			s.write(t, "/etc/apt/sources.list", "deb [trusted=yes] file:/srv ./\n")
		}, 7, "trusted without a signature", "1"},
		{"Debian for armel", func() {
			a.publish(t, "2", "owner")
			s.write(t, "/etc/apt/sources.list", "deb [signed-by=/usr/share/keyrings/part.gpg] file:/srv ./\n")
			s.write(t, "/usr/local/bin/dpkg", armel)
			s.run(t, "chmod +x /usr/local/bin/dpkg")
		}, 7, "Debian for armel gets no security updates", "1"},
		{"signed", func() { s.run(t, "rm /usr/local/bin/dpkg") }, 0, "the base is up to date", "2"},
		{"nothing new", func() {}, 0, "the base is up to date", "2"},
	} {
		c.prepare()
		out, err := s.try(t, "export PATH=/usr/local/bin:$PATH; sh /tmp/update.sh --base; status=$?; cat /var/log/epuck-update.log; exit $status")
		status := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			status = exit.ExitCode()
		}
		version := s.run(t, "dpkg-query -W -f='${Version}' part")
		if status != c.status || !strings.Contains(out, c.words) || version != c.version || s.read(t, "/version") != c.version {
			t.Errorf("%s: status %d and version %s, want %d, %s and %q:\n%s", c.name, status, version, c.status, c.version, c.words, out)
		}
		for _, left := range []string{"/var/cache/epuck-driver/base-update", "/etc/systemd/system/epuck-base-update.service"} {
			if s.has(left) {
				t.Errorf("%s: %s is left", c.name, left)
			}
		}
	}
}

// TestInstallChecksWhatTheRobotGot: what arrived damaged is not run, and ssh's own check of the host's key stays on.
func TestInstallChecksWhatTheRobotGot(t *testing.T) {
	deb := debian(t, "amd64")
	there := t.TempDir()
	ssh := `log="$D/log"
echo "$*" >>"$log"
while [ $# -gt 1 ]; do shift; done # the command
case "$1" in
*print-architecture*) printf 'amd64\n1000\nnone\nnone\n' ;;
mktemp*) echo "$D" ;;
sha256sum*) sh -c "$1" ;;
esac
`
	scp := "for last in \"$@\"; do before=$file file=$last; done\ncp \"$before\" \"${file#*:}\"\n"
	for name, c := range map[string]struct{ scp, words string }{
		"damaged package": {scp + "case $file in *.deb) echo x >>\"${file#*:}\";; esac\n", "the files on pi@robot differ from those sent: nothing was changed"},
		"damaged script":  {scp + "case $file in *.sh) echo x >>\"${file#*:}\";; esac\n", "nothing was changed"},
		"cut off":         {scp + "truncate -s 100 \"${file#*:}\"\n", "nothing was changed"},
	} {
		out, err := attempt(t.Context(), []string{fakes(t, map[string]string{"ssh": ssh, "scp": c.scp}), "D=" + there}, "scripts/install-on-robot", "--package", deb, "pi@robot")
		log, _ := os.ReadFile(filepath.Join(there, "log"))
		if err == nil || !strings.Contains(out, c.words) || strings.Contains(string(log), "sudo") || strings.Contains(string(log), "HostKey") {
			t.Errorf("%s: %v\n%s\nrun there:\n%s", name, err, out, log)
		}
	}
}
