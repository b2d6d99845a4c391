// SPDX-License-Identifier: Apache-2.0

// Package filekindtest tests that the readers of this program explain files of other kinds.
package filekindtest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// file is one file of another kind: its content, and what its error must contain besides the kind, "" for nothing.
type file struct {
	kind    filekind.Kind
	content string
	advice  string
}

func files() []file {
	return []file{
		{filekind.ROS1Bag, "#ROSBAG V2.0\nE\x00\x00\x00\x02\x00\x00\x00op=\x03", "rosbags-convert"},
		{filekind.LFSPointer, "version https://git-lfs.github.com/spec/v1\noid sha256:0011\nsize 5\n", "git lfs pull"},
		{filekind.Empty, "", "write, copy or download it again"},
		{filekind.Zeros, "\x00\x00\x00\x00\x00\x00\x00\x00", "write, copy or download it again"},
		{filekind.HTML, "<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>\n", "raw address"},
		{filekind.Gzip, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x04\x00", "gunzip"},
		{filekind.ZIP, "PK\x03\x04\x14\x00\x00\x00\x08\x00", "unzip"},
		{filekind.PNG, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ""},
		{filekind.MapYAML, "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n", "--map"},
		{filekind.Parameters, "/**:\n  ros__parameters:\n    use_sim_time: true\n", "--params-file"},
		{filekind.BagMetadata, "rosbag2_bagfile_information:\n  version: 5\n", "folder of the bag"},
		{filekind.URDF, "<?xml version=\"1.0\"?>\n<robot name=\"r\"/>\n", ""},
		{filekind.JSON, "{\"a\": 1}\n", ""},
	}
}

// Refused writes a file of each kind that is not accepted and requires that read refuses it with an error that has
// the file's path, its kind and the way on. It counts the files.
func Refused(t *testing.T, read func(path string) error, accepted ...filekind.Kind) (count int) {
	t.Helper()
	for _, f := range files() {
		if slices.Contains(accepted, f.kind) {
			continue
		}
		count++
		path := filepath.Join(t.TempDir(), "given.yaml")
		if err := os.WriteFile(path, []byte(f.content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := read(path)
		var explained *filekind.Error
		switch {
		case err == nil:
			t.Errorf("%s is accepted", f.kind)
		case !errors.As(err, &explained) || explained.Kind != f.kind:
			t.Errorf("%s is not recognized: %v", f.kind, err)
		case !strings.Contains(err.Error(), explained.Path+" is "+string(f.kind)) || !strings.Contains(err.Error(), f.advice):
			t.Errorf("%s: %v; want the path, the kind and %q", f.kind, err, f.advice)
		}
	}
	return count
}
