// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var packages once

// debian returns the Debian package of an architecture (armhf, arm64, amd64), built by scripts/package.sh.
func debian(t testing.TB, arch string) string {
	t.Helper()
	need(t, arch)
	var path string
	err := packages.do(arch, func() error {
		out, err := attempt(context.Background(), []string{"OUT=" + filepath.Join(work, arch)}, "scripts/package.sh", arch)
		if err != nil {
			return fmt.Errorf("scripts/package.sh %s: %w\n%s", arch, err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(work, arch, "*.deb"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v: want one package", found, err)
	}
	path = found[0]
	if !strings.HasSuffix(path, "_"+arch+".deb") {
		t.Errorf("%s is not named as Debian names packages", filepath.Base(path))
	}
	return path
}

// packaged is what every package holds: path and mode.
var packaged = map[string]string{
	"./usr/bin/epuck-driver":                                  "-rwxr-xr-x",
	"./lib/systemd/system/epuck-driver.service":               "-rw-r--r--",
	"./lib/systemd/system/epuck-driver-poweroff.path":         "-rw-r--r--",
	"./lib/systemd/system/epuck-driver-poweroff.service":      "-rw-r--r--",
	"./lib/udev/rules.d/60-epuck-driver.rules":                "-rw-r--r--",
	"./usr/lib/sysusers.d/epuck-driver.conf":                  "-rw-r--r--",
	"./usr/lib/modules-load.d/epuck-driver.conf":              "-rw-r--r--",
	"./etc/epuck-driver/params.yaml":                          "-rw-r--r--",
	"./etc/default/epuck-driver":                              "-rw-r--r--",
	"./usr/share/man/man1/epuck-driver.1.gz":                  "-rw-r--r--",
	"./usr/share/man/man1/epuck-driver-sim.1.gz":              "-rw-r--r--",
	"./usr/share/man/man1/epuck-driver-topic-pub.1.gz":        "-rw-r--r--",
	"./usr/share/bash-completion/completions/epuck-driver":    "-rw-r--r--",
	"./usr/share/zsh/vendor-completions/_epuck-driver":        "-rw-r--r--",
	"./usr/share/fish/vendor_completions.d/epuck-driver.fish": "-rw-r--r--",
	"./usr/share/doc/epuck-driver/copyright":                  "-rw-r--r--",
	"./usr/share/doc/epuck-driver/changelog.gz":               "-rw-r--r--",
	"./usr/share/epuck-driver/ros/README":                     "-rw-r--r--",
	"./usr/share/lintian/overrides/epuck-driver":              "-rw-r--r--",
}

func TestPackagesHoldWhatARobotNeeds(t *testing.T) {
	for _, target := range targets {
		t.Run(target.debian, func(t *testing.T) {
			deb := debian(t, target.debian)
			if got := strings.TrimSpace(command(t, nil, "dpkg-deb", "-f", deb, "Architecture")); got != target.debian {
				t.Errorf("architecture %s", got)
			}
			if depends := strings.TrimSpace(command(t, nil, "dpkg-deb", "-f", deb, "Depends")); depends != "" {
				t.Errorf("depends on %s: a static program needs nothing", depends)
			}
			modes := map[string]string{}
			for line := range strings.Lines(command(t, nil, "dpkg-deb", "-c", deb)) {
				f := strings.Fields(line)
				if f[1] != "root/root" {
					t.Errorf("not root's: %s", line)
				}
				modes[f[5]] = f[0]
			}
			for path, mode := range packaged {
				if modes[path] != mode {
					t.Errorf("%s: mode %q, want %q", path, modes[path], mode)
				}
			}
			dir := t.TempDir()
			command(t, nil, "dpkg-deb", "-R", deb, dir)
			conffiles, err := os.ReadFile(filepath.Join(dir, "DEBIAN", "conffiles"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Fields(string(conffiles)); !slices.Equal(got, []string{"/etc/default/epuck-driver", "/etc/epuck-driver/params.yaml"}) {
				t.Errorf("kept on upgrade: %v", got)
			}
			sameFile(t, filepath.Join(dir, "usr/bin/epuck-driver"), program(t, target.name))
			sameFile(t, filepath.Join(dir, "etc/epuck-driver/params.yaml"), filepath.Join(root, "deploy/params.yaml"))
			sameFile(t, filepath.Join(dir, "lib/systemd/system/epuck-driver.service"), filepath.Join(root, "deploy/systemd/epuck-driver.service"))
		})
	}
}

// TestPackagesCarryWhatDeployHas: a file added to deploy is packaged or named here.
func TestPackagesCarryWhatDeployHas(t *testing.T) {
	config := read(t, "deploy/nfpm.yaml")
	elsewhere := []string{"nfpm.yaml", "ros/", // the ROS package
		"card/", "overlay/", // scripts/image puts them onto a card
		"release/", "rospackage/", "vm/", "vmtest/"} // tests
	for path := range strings.Lines(command(t, nil, "git", "ls-files", "deploy")) {
		path = strings.TrimSpace(path)
		inDeploy := strings.TrimPrefix(path, "deploy/")
		if slices.ContainsFunc(elsewhere, func(prefix string) bool { return strings.HasPrefix(inDeploy, prefix) }) {
			continue
		}
		if !strings.Contains(config, path) {
			t.Errorf("%s is not in any package", path)
		}
	}
}

func sameFile(t *testing.T, a, b string) {
	t.Helper()
	var sums [2][sha256.Size]byte
	for i, path := range []string{a, b} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(data)
	}
	if sums[0] != sums[1] {
		t.Errorf("%s and %s differ", a, b)
	}
}

// TestPackageIsReproducible builds one package again, at another time of day and with another umask.
func TestPackageIsReproducible(t *testing.T) {
	first := debian(t, "armhf")
	out := t.TempDir()
	command(t, []string{"OUT=" + out, "TZ=Asia/Tokyo", "LC_ALL=C"}, "sh", "-c", "umask 027; exec scripts/package.sh armhf")
	sameFile(t, first, filepath.Join(out, filepath.Base(first)))
}

func TestPackageVersionsGrow(t *testing.T) {
	need(t, "amd64")
	stage := func(version string) string {
		t.Helper()
		// The script's own translation, with nothing built: an architecture that there is not ends it after that.
		out, err := attempt(t.Context(), []string{"VERSION=" + version, "SOURCE_DATE_EPOCH=1795200000", "OUT=" + t.TempDir()}, "bash", "-c",
			`set -e; . scripts/release.sh; eval "$(sed -n '/^case .VERSION/,/^esac/p' scripts/package.sh)"; echo "$DEBIAN_VERSION"`)
		if err != nil {
			t.Fatal(err, out)
		}
		return strings.TrimSpace(out)
	}
	// Each is newer than the one before.
	versions := []string{"5da1346", "v0.9.0-rc1", "v0.9.0", "v0.9.0-4-g5da1346", "v0.9.0-12-gfff1346", "v0.9.1", "v0.10.0", "v1.0.0-rc2", "v1.0.0"}
	for i, v := range versions {
		deb := stage(v)
		if !regexp.MustCompile(`^[0-9][0-9A-Za-z.+~]*$`).MatchString(deb) {
			t.Errorf("%s becomes %q, which is no Debian version", v, deb)
		}
		if i > 0 {
			if out, err := attempt(t.Context(), nil, "dpkg", "--compare-versions", stage(versions[i-1]), "lt", deb); err != nil {
				t.Errorf("%s (%s) is not newer than %s (%s) %s", v, deb, versions[i-1], stage(versions[i-1]), out)
			}
		}
	}
	if clean, dirty := stage("v1.0.0"), stage("v1.0.0-dirty"); clean == dirty {
		t.Errorf("a changed tree gives the same version %s", dirty)
	}
}

func TestManualPageAndLintian(t *testing.T) {
	deb := debian(t, "armhf")
	dir := t.TempDir()
	command(t, nil, "dpkg-deb", "-x", deb, dir)
	pages, err := filepath.Glob(filepath.Join(dir, "usr/share/man/man1/*.gz"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d manual pages: %v", len(pages), err)
	}
	for _, page := range pages {
		command(t, nil, "gzip", "-t", page)
		warnings := command(t, []string{"LC_ALL=C.UTF-8", "MANWIDTH=80"}, "sh", "-c",
			`man --warnings -E UTF-8 -l -Tutf8 -Z "$0" 2>&1 >/dev/null`, page)
		if warnings != "" {
			t.Errorf("%s: man warns:\n%s", filepath.Base(page), warnings)
		}
	}
	if out, err := attempt(t.Context(), nil, "lintian", "--allow-root", "--fail-on", "error,warning", deb); err != nil {
		t.Errorf("lintian: %v\n%s", err, out)
	}
}

// TestCompletionsAreThePrograms: the files are what the program prints, in the places where shells look.
func TestCompletionsAreThePrograms(t *testing.T) {
	dir := t.TempDir()
	command(t, nil, "dpkg-deb", "-x", debian(t, "amd64"), dir)
	for shell, path := range map[string]string{
		"bash": "usr/share/bash-completion/completions/epuck-driver",
		"zsh":  "usr/share/zsh/vendor-completions/_epuck-driver",
		"fish": "usr/share/fish/vendor_completions.d/epuck-driver.fish",
	} {
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if want := command(t, nil, program(t, "amd64"), "completion", shell); string(data) != want || want == "" {
			t.Errorf("%s: %q, the program prints %q", shell, data, want)
		}
	}
}
