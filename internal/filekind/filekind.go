// SPDX-License-Identifier: Apache-2.0

// Package filekind recognizes what a file is by its content, so that an error about a file that cannot be read says
// what was given instead of what was expected, and what to do.
package filekind

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// Kind is a kind of file, by the words that name it: "a ROS 1 bag". The empty Kind is not known.
type Kind string

// Kinds that readers of this program accept.
const (
	MCAP         Kind = "an MCAP file"
	SQLite       Kind = "an SQLite database"
	MapYAML      Kind = "the YAML file of a map"
	Parameters   Kind = "a file of ROS parameters"
	CameraYAML   Kind = "the calibration file of a camera"
	BagMetadata  Kind = "the metadata file of a bag"
	URDF         Kind = "a robot description (URDF)"
	SDF          Kind = "a file of Gazebo (SDF)"
	Xacro        Kind = "a robot description in xacro"
	LaunchXML    Kind = "a launch file"
	WebotsWorld  Kind = "a world of Webots"
	SUMONet      Kind = "a network of SUMO"
	PGM          Kind = "a PGM picture"
	PNG          Kind = "a PNG picture"
	JPEG         Kind = "a JPEG picture"
	JSON         Kind = "a JSON file"
	Certificate  Kind = "a certificate (PEM)"
	PrivateKey   Kind = "a private key (PEM)"
	Signed       Kind = "a signed S/MIME document"
	XML          Kind = "an XML file"
	ZIP          Kind = "a ZIP archive"
	Gzip         Kind = "compressed with gzip"
	Zstd         Kind = "compressed with zstd"
	ROS1Bag      Kind = "a ROS 1 bag"
	LFSPointer   Kind = "a Git LFS pointer, not the file itself"
	HTML         Kind = "an HTML page, as a download of a page instead of a file leaves it"
	Empty        Kind = "empty (0 bytes)"
	Zeros        Kind = "filled with zero bytes, as a power cut leaves it"
	Folder       Kind = "a folder"
	TextUTF16    Kind = "text in UTF-16"
	Program      Kind = "a program (ELF)"
	OtherArchive Kind = "a tar archive"
)

// head is how many bytes of a file are looked at.
const head = 16 << 10

// Recognize returns the kind of a file that begins with the given bytes and has the given size in bytes.
func Recognize(begin []byte, size int64) Kind {
	switch {
	case size == 0:
		return Empty
	case len(begin) > 0 && len(bytes.Trim(begin, "\x00")) == 0:
		return Zeros
	}
	for _, m := range magics() {
		if len(begin) >= m.at && bytes.HasPrefix(begin[m.at:], []byte(m.bytes)) {
			return m.kind
		}
	}
	text := strings.TrimLeft(strings.TrimPrefix(string(begin), "\ufeff"), " \t\r\n")
	switch {
	case strings.HasPrefix(text, "<"):
		return xmlKind(text)
	case strings.HasPrefix(text, "{") && strings.Contains(text, `"`):
		return JSON
	}
	return yamlKind(text)
}

// magic is the beginning of the files of a kind.
type magic struct {
	bytes string
	at    int
	kind  Kind
}

func magics() []magic {
	return []magic{
		{"version https://git-lfs.github.com/spec/", 0, LFSPointer},
		{"#ROSBAG V", 0, ROS1Bag},
		{"\x89MCAP0\r\n", 0, MCAP},
		{"SQLite format 3\x00", 0, SQLite},
		{"\x1f\x8b", 0, Gzip}, {"\x28\xb5\x2f\xfd", 0, Zstd},
		{"BZh", 0, "compressed with bzip2"}, {"\xfd7zXZ\x00", 0, "compressed with xz"}, {"\x04\x22\x4d\x18", 0, "compressed with lz4"},
		{"PK\x03\x04", 0, ZIP}, {"PK\x05\x06", 0, ZIP}, {"7z\xbc\xaf\x27\x1c", 0, "a 7z archive"}, {"Rar!", 0, "a RAR archive"},
		{"ustar", 257, OtherArchive},
		{"\x89PNG\r\n\x1a\n", 0, PNG}, {"\xff\xd8\xff", 0, JPEG}, {"P5", 0, PGM}, {"P2", 0, PGM},
		{"GIF8", 0, "a GIF picture"}, {"II*\x00", 0, "a TIFF picture"}, {"MM\x00*", 0, "a TIFF picture"}, {"WEBP", 8, "a WebP picture"},
		{"%PDF-", 0, "a PDF document"}, {"\x7fELF", 0, Program}, {"\x93NUMPY", 0, "an array of NumPy"}, {"\x89HDF\r\n", 0, "an HDF5 file"},
		{"\xff\xfe", 0, TextUTF16}, {"\xfe\xff", 0, TextUTF16},
		{"\x0a\x0d\x0d\x0a", 0, "a capture of network packets (pcapng)"}, {"\xd4\xc3\xb2\xa1", 0, "a capture of network packets (pcap)"},
		{"-----BEGIN CERTIFICATE-----", 0, Certificate}, {"-----BEGIN PRIVATE KEY-----", 0, PrivateKey},
		{"-----BEGIN EC PRIVATE KEY-----", 0, PrivateKey}, {"-----BEGIN RSA PRIVATE KEY-----", 0, PrivateKey},
		{"-----BEGIN ENCRYPTED PRIVATE KEY-----", 0, "a private key with a password"}, {"MIME-Version:", 0, Signed},
		{"#VRML_SIM", 0, WebotsWorld}, {"ROS_CAMERA", 0, CameraYAML},
	}
}

// xmlKind returns the kind of a text that begins with "<".
func xmlKind(text string) Kind {
	lower := strings.ToLower(text)
	for _, root := range []struct {
		begin string
		kind  Kind
	}{
		{"<!doctype html", HTML}, {"<html", HTML}, {"<robot", URDF}, {"<sdf", SDF}, {"<launch", LaunchXML}, {"<net", SUMONet},
		{"<collada", "a COLLADA mesh"}, {"<dds", "a document of DDS Security, not signed"}, {"<svg", "an SVG drawing"}, {"<mujoco", "a model of MuJoCo"},
		{"<package", "a package.xml of ROS"}, {"<additional", "an additional file of SUMO"}, {"<routes", "a file of routes of SUMO"},
	} {
		i := strings.Index(lower, root.begin)
		if i < 0 || root.kind != HTML && strings.Contains(lower[:i], "<html") {
			continue
		}
		if end := i + len(root.begin); end < len(lower) && strings.IndexByte(" \t\r\n>/", lower[end]) < 0 {
			continue // the beginning of a longer name
		}
		if before := lower[:i]; root.kind != HTML && strings.Count(before, "<") > strings.Count(before, "<!")+strings.Count(before, "<?") {
			continue // inside of another element
		}
		if root.kind == URDF && strings.Contains(lower, "<xacro:") {
			return Xacro
		}
		return root.kind
	}
	return XML
}

// yamlKind returns the kind of a YAML text by the names at its beginning.
func yamlKind(text string) Kind {
	var names []string
	for line := range strings.Lines(text) {
		name, _, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if ok && name != "" && !strings.ContainsAny(name, " \t#\"'{[-") {
			names = append(names, name)
		}
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	switch {
	case has("image") && has("resolution"):
		return MapYAML
	case has("rosbag2_bagfile_information"):
		return BagMetadata
	case has("camera_matrix") || has("distortion_coefficients"):
		return CameraYAML
	case strings.Contains(text, "ros__parameters:"):
		return Parameters
	}
	return ""
}

// advice returns what to do with a file of a kind, or "".
func (k Kind) advice() string {
	switch k {
	case LFSPointer:
		return "run \"git lfs pull\" in its repository"
	case ROS1Bag:
		return "convert it: rosbags-convert --src FILE --dst FOLDER (pip install rosbags) makes a bag of ROS 2; mcap convert FILE OUT.mcap keeps ROS 1's messages, for Foxglove"
	case Gzip:
		return "decompress it with gunzip"
	case Zstd:
		return "decompress it with zstd -d"
	case "compressed with bzip2":
		return "decompress it with bunzip2"
	case "compressed with xz":
		return "decompress it with unxz"
	case "compressed with lz4":
		return "decompress it with lz4 -d"
	case ZIP:
		return "unpack it with unzip and name the file in it"
	case OtherArchive:
		return "unpack it with tar -xf and name the file in it"
	case HTML:
		return "download the file itself, by its raw address"
	case Empty, Zeros:
		return "write, copy or download it again"
	case Xacro:
		return "expand it: xacro FILE > robot.urdf"
	case TextUTF16:
		return "save it as UTF-8"
	case Parameters:
		return "it belongs behind --params-file"
	case BagMetadata:
		return "name the folder of the bag"
	case MapYAML:
		return "it belongs behind --map"
	case "a private key with a password":
		return "remove the password with openssl pkey"
	}
	return ""
}

// Explain adds to the error of a reader what the file is, if that is none of the accepted kinds: "FILE is a ROS 1 bag;
// convert it: …". For a file of an accepted kind that ends early it says so. Other errors, and those of files that
// cannot be opened, are returned as they are. The result wraps err.
func Explain(path string, err error, accepted ...Kind) error {
	if err == nil || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || explained(err) {
		return err
	}
	kind, size, bad := Of(path)
	if bad != nil {
		return err
	}
	return explain(path, kind, size, err, accepted)
}

// ExplainData is Explain for a file that was read already.
func ExplainData(path string, data []byte, err error, accepted ...Kind) error {
	if err == nil || explained(err) {
		return err
	}
	return explain(path, Recognize(data[:min(len(data), head)], int64(len(data))), int64(len(data)), err, accepted)
}

func explained(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

func explain(path string, kind Kind, size int64, err error, accepted []Kind) error {
	switch {
	case kind == "" || slices.Contains(accepted, kind):
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return &Error{path, kind, fmt.Sprintf("%s ends early, after %d bytes; copy or download it again", path, size), err}
		}
		return err
	}
	text := path + " is " + string(kind)
	if advice := kind.advice(); advice != "" {
		text += "; " + strings.ReplaceAll(advice, "FILE", path)
	}
	return &Error{path, kind, text, err}
}

// Error is an error about a file of another kind.
type Error struct {
	Path string
	Kind Kind
	text string
	err  error
}

// Error returns the kind and the way on, then the reader's error.
func (e *Error) Error() string { return e.text + " (" + e.err.Error() + ")" }

// Unwrap returns the reader's error.
func (e *Error) Unwrap() error { return e.err }

// Of returns the kind of a file and its size in bytes.
func Of(path string) (Kind, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if info.IsDir() {
		return Folder, 0, nil
	}
	f, err := regular.Open(path)
	if err != nil {
		return "", 0, err
	}
	begin, err := io.ReadAll(io.LimitReader(f, head))
	return Recognize(begin, info.Size()), info.Size(), errors.Join(err, f.Close())
}
