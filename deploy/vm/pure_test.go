// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is asked of QEMU: always emulation, never KVM, which not every computer has; a network only with a cable.
func TestArguments(t *testing.T) {
	m := &Machine{dir: "/run/x"}
	plain := strings.Join(m.arguments(Config{Image: Image{"k", "i", "d"}}), " ")
	for _, want := range []string{"-accel tcg", "-smp 2 ", "-m 512 ", "-kernel k ", "-initrd i ", "file=d,", "snapshot=on", "path=/run/x/agent", "net.ifnames=0"} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %q in %s", want, plain)
		}
	}
	for _, no := range []string{"accel kvm", "enable-kvm", "netdev"} {
		if strings.Contains(plain, no) {
			t.Errorf("%q in %s", no, plain)
		}
	}
	other := m.arguments(Config{TAP: "tap9", Memory: 256, CPUs: 1})
	if i := slices.Index(other, "-netdev"); i < 0 || !strings.Contains(other[i+1], "ifname=tap9") {
		t.Errorf("no cable: %v", other)
	}
	if text := strings.Join(other, " "); !strings.Contains(text, "-smp 1 ") || !strings.Contains(text, "-m 256 ") {
		t.Errorf("%s", text)
	}
}

func TestPayload(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "file")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "payload")
	if err := writePayload(archive, map[string]string{"bin/tool": tool}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := tar.NewReader(f)
	h, err := r.Next()
	if err != nil || h.Name != "bin/tool" || h.FileInfo().Mode().Perm() != 0o755 {
		t.Fatalf("%+v, %v", h, err)
	}
	if b, err := io.ReadAll(r); string(b) != "#!/bin/sh\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := f.Stat(); err != nil || info.Size()%512 != 0 || info.Size() == 0 {
		t.Errorf("no whole disk sectors: %v, %v", info.Size(), err)
	}
}
