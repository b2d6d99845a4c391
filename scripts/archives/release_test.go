// SPDX-License-Identifier: Apache-2.0

//go:build system && linux && !arm

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"
)

var targets = []string{"linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64", "darwin-amd64", "darwin-arm64"}

// programs makes a folder in which every program is the same small one.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "small.go"), filepath.Join(dir, "small")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, target := range targets {
		name := filepath.Join(dir, target, "epuck-driver")
		if strings.HasPrefix(target, "windows") {
			name += ".exe"
		}
		if err := errors.Join(os.Mkdir(filepath.Dir(name), 0o700), os.Symlink(program, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// made runs the command, and returns the files that it made.
func made(t *testing.T, programs, key string) map[string][]byte {
	t.Helper()
	common, out := t.TempDir(), t.TempDir()
	changes := filepath.Join(common, "CHANGELOG.md")
	if err := os.WriteFile(changes, []byte("# Changes\n\n## 1.2.0 (today)\n\n* New.\n\n## 1.1.0\n\n* Old.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-version", "v1.2.0", "-time", "1700000000", "-programs", programs, "-common", common, "-out", out,
		"-changes", changes, "-key", key}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestReleaseIsTheSameTwiceAndVerifies: equal bytes, checksums and signature fit, manifests name what exists.
func TestReleaseIsTheSameTwiceAndVerifies(t *testing.T) {
	public, secret, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := secret.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	key, folder := filepath.Join(t.TempDir(), "key"), programs(t)
	if err := os.WriteFile(key, text, 0o600); err != nil {
		t.Fatal(err)
	}
	files, again := made(t, folder, key), made(t, folder, "")
	if !minisign.Verify(public, files[sumsFile], files[sumsFile+".minisig"]) {
		t.Error("the signature does not fit")
	}
	listed := 0
	for line := range strings.Lines(string(files[sumsFile])) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if listed++; sum(files[name]) != want || !bytes.Equal(files[name], again[name]) {
			t.Errorf("%s: another checksum, or other bytes the second time", name)
		}
	}
	if listed != len(files)-2 || listed != 2*len(targets)+4 {
		t.Errorf("%d checksums of %d files", listed, len(files))
	}
	if got := string(files["RELEASE_NOTES.md"]); got != "# epuck-driver 1.2.0\n\n* New.\n" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string][]string{
		"epuck-driver.rb":          {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"},
		"epuck-driver.json":        {"windows_amd64.zip", "windows_arm64.zip"},
		"epuck-driver.winget.yaml": {"windows_amd64.zip", "windows_arm64.zip"},
	} {
		for _, suffix := range want {
			file := "epuck-driver_1.2.0_" + suffix
			if text := string(files[name]); !strings.Contains(text, "/releases/download/v1.2.0/"+file) || !strings.Contains(text, sum(files[file])) {
				t.Errorf("%s does not name %s with its checksum", name, file)
			}
		}
	}
	if !json.Valid(files["epuck-driver.json"]) {
		t.Error("Scoop's manifest is no JSON")
	}
	checkContents(t, files)
}

// checkContents: the program can be started, and licences and SBOM are there.
func checkContents(t *testing.T, files map[string][]byte) {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(files["epuck-driver_1.2.0_linux_amd64.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(h.Name, "epuck-driver_1.2.0_linux_amd64/")
		if names = append(names, name); (name == "epuck-driver") != (h.Mode == 0o755) || h.ModTime.Unix() != 1700000000 || h.Uid != 0 {
			t.Errorf("%+v", h)
		}
	}
	z, err := zip.NewReader(bytes.NewReader(files["epuck-driver_1.2.0_windows_amd64.zip"]), int64(len(files["epuck-driver_1.2.0_windows_amd64.zip"])))
	if err != nil {
		t.Fatal(err)
	}
	var zipped []string
	for _, f := range z.File {
		zipped = append(zipped, strings.TrimPrefix(f.Name, "epuck-driver_1.2.0_windows_amd64/"))
	}
	for _, want := range []string{"epuck-driver", "CHANGELOG.md", "sbom.cdx.json", "licences/std/LICENSE"} {
		if !slices.Contains(names, want) || want != "epuck-driver" && !slices.Contains(zipped, want) {
			t.Errorf("%s is missing in %v or %v", want, names, zipped)
		}
	}
}
