// SPDX-License-Identifier: Apache-2.0

//go:build linux

package mapping

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// giantPNG is the head of a picture of width × height pixels of 16 bits, and no more.
func giantPNG(width, height uint32) string {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	head = append(head, 16, 6, 0, 0, 0)
	out := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return string(binary.BigEndian.AppendUint32(append(out, head...), crc32.ChecksumIEEE(head)))
}

// TestHostileMapsAreRefused: each with an error that names its file.
func TestHostileMapsAreRefused(t *testing.T) { loadHostileMaps(t, 1<<20) }

// loadHostileMaps loads maps that no program writes, the longest of length bytes, and asserts that each is refused.
func loadHostileMaps(t *testing.T, length int) {
	t.Helper()
	const good = "image: p\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
	var aliases strings.Builder
	aliases.WriteString("a0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&aliases, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	for name, c := range map[string]struct{ text, picture string }{
		"giant PNG":           {good, giantPNG(1<<31-1, 1<<31-1)},
		"wide PNG":            {good, giantPNG(1<<31-1, 1)},
		"giant PGM":           {good, "P5\n2147483647 2147483647\n255\n"},
		"overflowing PGM":     {good, "P5\n4294967296 4294967296\n255\n"},
		"negative PGM":        {good, "P5\n-5 -5\n255\n"},
		"PGM without an end":  {good, "P5\n" + strings.Repeat("9", length)},
		"PGM of comments":     {good, "P5\n" + strings.Repeat("#\n", length/3)},
		"PGM without pixels":  {good, "P5\n4000 4000\n255\n"},
		"aliases":             {aliases.String() + "image: *a40\n", "P5\n1 1\n255\n0"},
		"aliases elsewhere":   {good + aliases.String() + "origin: *a40\n", "P5\n1 1\n255\n0"},
		"resolution NaN":      {strings.Replace(good, "0.1\n", ".nan\n", 1), "P5\n1 1\n255\n0"},
		"resolution 1e999":    {strings.Replace(good, "0.1\n", "1e999\n", 1), "P5\n1 1\n255\n0"},
		"resolution negative": {strings.Replace(good, "0.1\n", "-1\n", 1), "P5\n1 1\n255\n0"},
		"origin infinite":     {strings.Replace(good, "[0, 0, 0]", "[.inf, 0, 0]", 1), "P5\n1 1\n255\n0"},
		"deep":                {good + "x: " + strings.Repeat("[", 200_000), "P5\n1 1\n255\n0"},
	} {
		dir := t.TempDir()
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(c.text), 0o600), os.WriteFile(filepath.Join(dir, "p"), []byte(c.picture), 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := Load(filepath.Join(dir, "m.yaml"))
		if err == nil || !strings.Contains(err.Error(), dir) || len(err.Error()) > 1000 {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

// TestPictureOfAMapThatIsNoFile: a pipe would be waited for, a device has no end.
func TestPictureOfAMapThatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600), os.Symlink("loop", filepath.Join(dir, "loop"))); err != nil {
		t.Fatal(err)
	}
	for image, want := range map[string]error{"pipe": errFile, "/dev/zero": errFile, "loop": syscall.ELOOP, ".": errFile} {
		text := "image: " + image + "\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
		if err := os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(filepath.Join(dir, "m.yaml")); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", image, err, want)
		}
	}
}
