// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// others are files that are no recordings, and what is said of each.
func others() map[string]struct{ content, want string } {
	return map[string]struct{ content, want string }{
		"pointer": {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "is a Git LFS pointer, not the file itself; run \"git lfs pull\""},
		"empty":   {"", "is empty (0 bytes); write, copy or download it again"},
		"page":    {"<!DOCTYPE html><html>", "is an HTML page"},
		"old":     {"#ROSBAG V2.0\n", "is a ROS 1 bag; convert it: rosbags-convert"},
		"packed":  {"\x1f\x8b\x08\x00", "is compressed with gzip; decompress it with gunzip"},
		"text":    {"something else, which is of no kind that is known", ""},
	}
}

// kindsOfBags are the suffixes of files that this program reads.
func kindsOfBags() []string {
	if SQLite {
		return []string{".mcap", ".db3"}
	}
	return []string{".mcap"}
}

// TestEveryUnreadableFileIsExplained: a folder of several files, none of which is a recording: the error says of each
// what it is, by its name.
func TestEveryUnreadableFileIsExplained(t *testing.T) {
	for _, suffix := range []string{".mcap", ".db3"} {
		dir := t.TempDir()
		for name, c := range others() {
			must(t, os.WriteFile(filepath.Join(dir, name+suffix), []byte(c.content), 0o600))
		}
		_, err := Open(dir)
		_, _, inspected := Inspect(dir)
		for name, c := range others() {
			want := filepath.Join(dir, name+suffix) + " " + c.want
			if c.want == "" {
				if want = name + suffix; suffix == ".db3" && !SQLite { // unread there
					continue
				}
			}
			if err == nil || !strings.Contains(err.Error(), want) || inspected == nil || !strings.Contains(inspected.Error(), want) {
				t.Errorf("%v; %v: want %q", err, inspected, want)
			}
		}
	}
}

// TestUnreadableFilesAreDamageOfTheOthers: a recording of several files of which one can be read is read without the
// others, each of which is explained; also if a storage of the other kind has a wrong name.
func TestUnreadableFilesAreDamageOfTheOthers(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		dir := t.TempDir()
		wanted := []string{}
		for name, c := range others() {
			must(t, os.WriteFile(filepath.Join(dir, name+suffix), []byte(c.content), 0o600))
			wanted = append(wanted, filepath.Join(dir, name+suffix)+" "+c.want)
		}
		writeRecording(t, filepath.Join(dir, "x_7"+suffix), suffix)
		if SQLite {
			other := map[string]string{".mcap": ".db3", ".db3": ".mcap"}[suffix]
			writeRecording(t, filepath.Join(dir, "y_8"+suffix), other)
			wanted = append(wanted, filepath.Join(dir, "y_8"+suffix)+" is "+map[string]string{".mcap": "an SQLite database", ".db3": "an MCAP file"}[suffix])
		}
		b, _, err := Inspect(dir)
		must(t, err)
		if b.Count() == 0 || len(b.Files()) != 1 || len(b.Damage) != len(wanted) {
			t.Errorf("%s: %d messages, files %v, damage %q", suffix, b.Count(), b.Files(), b.Damage)
		}
		for _, want := range wanted {
			want = strings.TrimSuffix(want, " ")
			if !slices.ContainsFunc(b.Damage, func(d string) bool { return strings.Contains(d, want) }) {
				t.Errorf("%q lacks %q", b.Damage, want)
			}
		}
		must(t, b.Close())
	}
}

// TestRefusedFilesAreNamedWithTheDamagedOnes: a file that may not be opened, or does not exist, is an error also if others
// can be read, because it is not damaged; the error names every file.
func TestRefusedFilesAreNamedWithTheDamagedOnes(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		dir := t.TempDir()
		writeRecording(t, filepath.Join(dir, "x_0"+suffix), suffix)
		must(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "x_1"+suffix)))
		must(t, os.WriteFile(filepath.Join(dir, "x_2"+suffix), nil, 0o600))
		must(t, os.Symlink(filepath.Join(dir, "away"), filepath.Join(dir, "x_3"+suffix)))
		_, err := Open(dir)
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", suffix, err)
			continue
		}
		for _, want := range []string{"3 of the 4 files of " + dir, "x_1" + suffix, "x_2" + suffix + " is empty", "x_3" + suffix} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", suffix, err, want)
			}
		}
	}
}

// TestRecoverNamesUnreadableFiles: the metadata are of the files that can be read, and each other file is reported.
func TestRecoverNamesUnreadableFiles(t *testing.T) {
	for _, suffix := range kindsOfBags() {
		dir := t.TempDir()
		writeRecording(t, filepath.Join(dir, "x_0"+suffix), suffix)
		must(t, os.WriteFile(filepath.Join(dir, "x_1"+suffix), []byte("PK\x03\x04"), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "x_2"+suffix), []byte("<html>"), 0o600))
		done, err := Recover(dir, nil)
		must(t, err)
		said := map[string]string{}
		for _, d := range done {
			if said[d.File] = "read"; d.Err != nil {
				said[d.File] = d.Err.Error()
			}
		}
		if len(done) != 3 || said["x_0"+suffix] != "read" || !strings.Contains(said["x_1"+suffix], "is a ZIP archive") || !strings.Contains(said["x_2"+suffix], "is an HTML page") {
			t.Errorf("%q", said)
		}
		meta, err := ReadMetadata(dir)
		if must(t, err); !slices.Equal(meta.Paths, []string{"x_0" + suffix}) {
			t.Errorf("the metadata name %q", meta.Paths)
		}
	}
}
