// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what is said of a bag, by Open, Inspect and reading: an error, or the damage, interrupted files and remarks.
type outcome struct {
	said     string
	messages string // that can be read
}

// look opens, inspects and reads a bag.
func look(t *testing.T, path string) (o outcome) {
	t.Helper()
	b, err := Open(path)
	if err != nil {
		o.said = err.Error()
	} else {
		said := append(append(append([]string(nil), b.Remarks...), b.Damage...), b.Interrupted...)
		var read []string
		for m, err := range b.Messages(Range{}) {
			if err != nil {
				said = append(said, err.Error())
				continue
			}
			read = append(read, fmt.Sprintf("%s %s %d %q", m.Topic.Name, m.Topic.Type, m.LogTime, m.Data))
		}
		must(t, b.Close())
		o = outcome{strings.Join(said, "\n"), strings.Join(read, "\n")}
	}
	b, _, inspected := Inspect(path)
	if inspected != nil {
		if err == nil || o.said == "" {
			t.Errorf("opened: %v, inspected: %v", err, inspected)
		}
		return o
	}
	_, bad := b.Sizes(nil)
	if err == nil && (bad == nil) != !strings.Contains(o.said, "can't be read") {
		t.Errorf("read: %q, sizes: %v", o.said, bad)
	}
	must(t, b.Close())
	return o
}

// recording writes a small file of a kind and returns its path.
func recording(t *testing.T, suffix string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x_0"+suffix)
	if suffix == suffixMCAP {
		writeMCAP(t, path, true, entry{"/a", 1, "1"}, entry{"/b", 2, "2"}, entry{"/a", 3, "3"}, entry{"/a", 4, "4"}, entry{"/b", 5, "5"})
		return path
	}
	writeSmallSQLite(t, path)
	return path
}

// TestFilesThatEndEarly: cut at every 64th byte, a file is refused by name, or what can be read of it is returned with its
// name as not finished or damaged: never as whole. Recovering it fails by name, or leaves a file that is whole.
func TestFilesThatEndEarly(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		whole := recording(t, suffix)
		all := look(t, whole)
		content, err := os.ReadFile(whole)
		must(t, err)
		_, err = Recover(filepath.Dir(whole), nil)
		must(t, err)
		metadata, err := os.ReadFile(filepath.Join(filepath.Dir(whole), MetadataFile))
		must(t, err)
		if all.said != "" || len(content) > 64<<10 {
			t.Fatalf("%d bytes, %q", len(content), all.said)
		}
		for n := 0; n < len(content); n += 64 {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.Base(whole))
			must(t, os.WriteFile(path, content[:n], 0o600))
			must(t, os.WriteFile(filepath.Join(dir, MetadataFile), metadata, 0o600))
			var o outcome
			for _, at := range []string{dir, path} { // with the metadata, and without
				o = look(t, at)
				if o.said == all.said || !strings.Contains(o.said, filepath.Base(path)) {
					t.Errorf("%s of %d bytes of %d: %q", suffix, n, len(content), o.said)
				}
				if !strings.HasPrefix(all.messages, o.messages) {
					t.Errorf("%s of %d bytes of %d has %s", suffix, n, len(content), o.messages)
				}
			}
			done, err := Recover(path, nil)
			switch {
			case err != nil && !strings.Contains(err.Error(), path), err == nil && len(done) != 1:
				t.Errorf("%s of %d bytes: recovered %+v, %v", suffix, n, done, err)
			case err == nil && done[0].Err != nil && !strings.Contains(done[0].Err.Error(), path):
				t.Errorf("%s of %d bytes: %v", suffix, n, done[0].Err)
			case err == nil && done[0].Err == nil:
				if again := look(t, path); again.said != all.said || again.messages != o.messages {
					t.Errorf("%s of %d bytes: recovered %q: %s", suffix, n, again.said, again.messages)
				}
			}
		}
	}
}

// TestMetadataThatEndEarly: cut at every 64th byte, metadata.yaml is refused by name, or all messages are read and
// decompressed as with the whole one.
func TestMetadataThatEndEarly(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		whole := recording(t, suffix)
		dir := filepath.Dir(whole)
		_, err := Recover(dir, nil)
		must(t, err)
		all := look(t, dir)
		path := filepath.Join(dir, MetadataFile)
		text, err := os.ReadFile(path)
		must(t, err)
		if len(text) < 500 || all.said != "" {
			t.Fatalf("%d bytes, %q", len(text), all.said)
		}
		for n := 0; n < len(text); n += 64 {
			must(t, os.WriteFile(path, text[:n], 0o600))
			o := look(t, dir)
			if o != all && !strings.Contains(o.said, MetadataFile) {
				t.Errorf("%d bytes of %d: %+v", n, len(text), o)
			}
			listed := strings.Contains(string(text[:n]), "relative_file_paths: ") || strings.Contains(string(text[:n]), "relative_file_paths:\n")
			if o.said == "" && !listed {
				t.Errorf("%d bytes of %d are taken for whole: %s", n, len(text), text[:n])
			}
		}
	}
}

// TestThingsThatAreNoFiles: folders, links to nothing and to themselves, and what may not be read, in place of a file, of
// metadata.yaml and of a folder: the error has the path and says what it is.
func TestThingsThatAreNoFiles(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		for name, c := range map[string]struct {
			put  func(path string) error
			want string // in the error
			root bool   // the superuser may read it
		}{
			"nothing":           {func(string) error { return nil }, "no such file", false},
			"an empty file":     {func(p string) error { return os.WriteFile(p, nil, 0o600) }, "is empty (0 bytes)", false},
			"a folder":          {func(p string) error { return os.Mkdir(p, 0o700) }, "", false},
			"a link to nothing": {func(p string) error { return os.Symlink("gone", p) }, "no such file", false},
			"a link to itself":  {func(p string) error { return os.Symlink(filepath.Base(p), p) }, "too many levels", false},
			"no right to read":  {func(p string) error { return os.WriteFile(p, []byte("x"), 0o000) }, "permission denied", true},
			"the metadata":      {func(p string) error { return os.WriteFile(p, []byte("rosbag2_bagfile_information:\n"), 0o600) }, "is the metadata file of a bag; name the folder of the bag", false},
			"zeros":             {func(p string) error { return os.WriteFile(p, make([]byte, 5000), 0o600) }, "filled with zero bytes", false},
			"only the beginning": {func(p string) error {
				return os.WriteFile(p, []byte(map[string]string{".mcap": "\x89MCAP0", ".db3": "SQLite format 3\x00"}[suffix]), 0o600)
			}, "", false},
		} {
			if c.root && os.Geteuid() == 0 {
				continue
			}
			dir := filepath.Join(t.TempDir(), "run")
			must(t, os.Mkdir(dir, 0o700))
			path := filepath.Join(dir, "x_0"+suffix)
			must(t, c.put(path))
			for _, at := range []string{path, dir} {
				o := look(t, at)
				want, named := c.want, path
				if name == "nothing" && at == dir {
					want, named = "it is empty", dir
				}
				if o.messages != "" || !strings.Contains(o.said, want) || !strings.Contains(o.said, named) {
					t.Errorf("%s in place of %s: %q, want %q", name, at, o.said, want)
				}
			}
			begun := suffix == suffixMCAP && (name == "an empty file" || name == "only the beginning") // completed, without messages
			for _, at := range []string{path, dir} {
				if done, err := Recover(at, nil); err == nil && (len(done) == 0 || done[0].Err == nil) != begun {
					t.Errorf("%s in place of %s is recovered: %+v", name, at, done)
				}
			}
			if name == "nothing" || name == "the metadata" {
				continue
			}
			must(t, os.RemoveAll(path))
			writeRecording(t, filepath.Join(dir, "y_0"+suffix), suffix)
			must(t, c.put(filepath.Join(dir, MetadataFile)))
			if o := look(t, dir); !strings.Contains(o.said, MetadataFile) && name != "a link to nothing" {
				t.Errorf("%s in place of %s: %q", name, MetadataFile, o.said)
			}
		}
	}
}

// TestFolderWithoutRights: a folder that may not be read is not an empty one.
func TestFolderWithoutRights(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may read it")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o300))
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if _, err := Open(dir); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

// TestOverridesThatAreNone: an empty file and policies that do not exist are errors, not no overrides.
func TestOverridesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "\n# none\n", "~", "/t:\n  reliabilty: best_effort\n", "/t: {reliability: best_effort}\n/t: {}\n", "\x00", "[]", "/t: {depth: 1e99}"} {
		if got, err := ReadOverrides([]byte(text)); !errors.Is(err, ErrMetadata) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
