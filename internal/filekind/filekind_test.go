// SPDX-License-Identifier: Apache-2.0

package filekind

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKinds: what a file is, by its content alone.
func TestKinds(t *testing.T) {
	for content, want := range map[string]Kind{
		"": Empty, "\x00\x00\x00": Zeros, "#ROSBAG V2.0\nx": ROS1Bag, "\x89MCAP0\r\n\x01": MCAP, "SQLite format 3\x00": SQLite,
		"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n": LFSPointer,
		"<!DOCTYPE html>\n<html><body>404</body></html>":                      HTML,
		"\n\n<html lang=en>": HTML,
		"<?xml version=\"1.0\"?>\n<!-- a robot -->\n<robot name=\"r\">": URDF,
		"<robot xmlns:xacro=\"x\"><xacro:include/></robot>":             Xacro,
		"<sdf version='1.6'><world><robot/></world></sdf>":              SDF,
		"<launch><node/></launch>":                                      LaunchXML,
		"<?xml version=\"1.0\"?><net version=\"1.9\">":                  SUMONet,
		"<network/>":   XML,
		"\x1f\x8b\x08": Gzip, "\x28\xb5\x2f\xfd": Zstd, "PK\x03\x04": ZIP, "BZh9": "compressed with bzip2",
		strings.Repeat("a", 257) + "ustar\x00": OtherArchive,
		"\x89PNG\r\n\x1a\n":                    PNG, "\xff\xd8\xff\xe0": JPEG, "P5\n3 3\n": PGM, "%PDF-1.4": "a PDF document", "\x7fELF\x02": Program,
		"image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n": MapYAML,
		"rosbag2_bagfile_information:\n  version: 5\n":          BagMetadata,
		"/**:\n  ros__parameters:\n    x: 1\n":                  Parameters,
		"image_width: 640\ncamera_matrix:\n  rows: 3\n":         CameraYAML,
		"{\"a\": 1}":                    JSON,
		"-----BEGIN CERTIFICATE-----\n": Certificate,
		"#VRML_SIM R2023b utf8\n":       WebotsWorld,
		"\xff\xfea\x00":                 TextUTF16,
		"a: 1\n":                        "", "hello": "", "1,2,3\n": "",
	} {
		if got := Recognize([]byte(content), int64(len(content))); got != want {
			t.Errorf("%.40q: %q, want %q", content, got, want)
		}
	}
}

// TestExplain: the error says what the file is and the way on, and wraps the reader's; a file of an accepted kind, one
// that is not known and one that does not exist keep their error.
func TestExplain(t *testing.T) {
	folder := t.TempDir()
	reader := errors.New("no magic number")
	for _, c := range []struct {
		content  string
		err      error
		accepted []Kind
		want     string // "" is the error alone
	}{
		{"#ROSBAG V2.0\n", reader, nil, "is a ROS 1 bag; convert it: rosbags-convert --src "},
		{"version https://git-lfs.github.com/spec/v1\n", reader, nil, "git lfs pull"},
		{"", reader, nil, "is empty (0 bytes)"},
		{"<html>", reader, nil, "is an HTML page"},
		{"\x1f\x8b", reader, nil, "gunzip"},
		{"\x89MCAP0\r\n", reader, []Kind{SQLite, MCAP}, ""},
		{"\x89MCAP0\r\n", fmt.Errorf("x: %w", io.ErrUnexpectedEOF), []Kind{MCAP}, "ends early, after 8 bytes"},
		{"hello", reader, nil, ""},
	} {
		path := filepath.Join(folder, "file")
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, got := range []error{Explain(path, c.err, c.accepted...), ExplainData(path, []byte(c.content), c.err, c.accepted...)} {
			if !errors.Is(got, c.err) || c.want == "" && got != c.err || !strings.Contains(got.Error(), c.want) || c.want != "" && !strings.HasPrefix(got.Error(), path) {
				t.Errorf("%q: %v, want %q", c.content, got, c.want)
			}
			if again := Explain(path, got); c.want != "" && again != got {
				t.Errorf("explained twice: %v", again)
			}
		}
	}
	if got := Explain(folder, reader); !strings.Contains(got.Error(), "is a folder") {
		t.Error(got)
	}
	if got := Explain(filepath.Join(folder, "none"), reader); got != reader {
		t.Error(got)
	}
	if Explain(folder, nil) != nil || ExplainData(folder, nil, nil) != nil {
		t.Error("an explanation without an error")
	}
}

func FuzzRecognize(f *testing.F) {
	f.Add([]byte("<?xml?><robot"))
	f.Add([]byte("a:\nb:"))
	f.Fuzz(func(_ *testing.T, data []byte) { Recognize(data, int64(len(data))) })
}

// TestAdviceForRecordingsOfROS1: what each of the two programs makes of one; a recording of ROS 2 gets no such advice.
func TestAdviceForRecordingsOfROS1(t *testing.T) {
	failed := errors.New("no magic number")
	err := ExplainData("run.bag", []byte("#ROSBAG V2.0\n"), failed, MCAP, SQLite)
	for _, want := range []string{"run.bag is a ROS 1 bag", "rosbags-convert --src run.bag --dst FOLDER", "mcap convert run.bag OUT.mcap keeps ROS 1's messages"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	for _, begin := range []string{"SQLite format 3\x00", "\x89MCAP0\r\n"} {
		if err := ExplainData("run.db3", []byte(begin), failed); strings.Contains(err.Error(), "convert") {
			t.Error(err)
		}
	}
}
