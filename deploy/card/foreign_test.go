// SPDX-License-Identifier: Apache-2.0

package card

import (
	"strings"
	"testing"
)

// TestForeignFilesInsteadOfEpuckTxt: a file of another kind is one mistake, which says what it is; a line in a file
// that has settings stays a mistake of its own, and the settings count.
func TestForeignFilesInsteadOfEpuckTxt(t *testing.T) {
	for text, want := range map[string]string{
		"<!DOCTYPE html>\n<html>\n<body>\n404\n</body></html>\n":              "the file is an HTML page",
		"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n": "the file is a Git LFS pointer",
		"#ROSBAG V2.0\nE\x00\x00\x00":                                         "the file is a ROS 1 bag",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00":                                    "the file is compressed with gzip",
		"PK\x03\x04\x14\x00\x00\x00":                                          "the file is a ZIP archive",
		"\x00\x00\x00\x00":                                                    "the file is filled with zero bytes",
		"/**:\n  ros__parameters:\n    x: 1\n":                                "the file is a file of ROS parameters",
		"{\"name\": \"epuck1\"}\n":                                            "the file is a JSON file",
	} {
		settings, mistakes := Parse([]byte(text))
		if len(mistakes) != 1 || mistakes[0].Cause != causeFile || !strings.Contains(mistakes[0].Text, want) || settings.Name != "" {
			t.Errorf("%.30q: %+v, %v, want %q", text, settings, mistakes, want)
		}
	}
	settings, mistakes := Parse([]byte("<my robot>\nname = epuck1\n"))
	if settings.Name != "epuck1" || len(mistakes) != 1 || mistakes[0].Line != 1 {
		t.Errorf("%+v, %v", settings, mistakes)
	}
	if _, mistakes := Parse(nil); len(mistakes) != 0 {
		t.Errorf("an empty file sets nothing: %v", mistakes)
	}
}
