// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The card's number is the argument of that name, hexadecimal and 32 bits wide, at any position.
func TestDiskOf(t *testing.T) {
	for line, want := range map[string]uint32{
		"epuck.disk=1234abcd": 0x1234abcd, "quiet  epuck.disk=7 panic=10\n": 7, "root=/dev/x\tepuck.disk=FFFFFFFF": 0xFFFFFFFF,
		"epuck.disk=1 epuck.disk=2": 1,
	} {
		if got, err := diskOf(line); err != nil || got != want {
			t.Errorf("%q: %x, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "quiet", "xepuck.disk=1", "epuck.disk=", "epuck.disk=123456789", "epuck.disk=-1", "epuck.disk=0x1", "epuck.disk =1"} {
		if id, err := diskOf(line); err == nil {
			t.Errorf("%q: %x", line, id)
		}
	}
	if _, err := diskOf("quiet"); err == nil || !strings.Contains(err.Error(), "epuck.disk=") {
		t.Errorf("%v", err)
	}
}

// Modules that are none, empty files and folders among them, are left out: the first program continues.
func TestModulesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"1-empty.ko": "", "2-text.ko": "no module"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "3-folder.ko"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := loadModules(dir); err != nil {
		t.Error(err)
	}
	if err := initModule(nil); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("%v", err)
	}
}

// A place that can't be made is named before anything is mounted.
func TestMountNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := mount("tmpfs", filepath.Join(file, "below"), "tmpfs", 0, ""); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
	if err := mount("nothing", t.TempDir(), "no-such-filesystem", 0, ""); err == nil || !strings.Contains(err.Error(), "mounting nothing at ") {
		t.Errorf("%v", err)
	}
}
