// SPDX-License-Identifier: Apache-2.0

// Package library has the descriptions of the robots that the program includes, and opens that of any other from
// its file: URDF, SDF, or a PROTO or world of Webots.
package library

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
	"github.com/epuck-ros2/epuck-driver/sim/robots/sdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

//go:embed models/*.urdf
var models embed.FS

// ErrNoRobot is matched by the error of a name that is neither a robot of the library nor a file.
var ErrNoRobot = errors.New("no such robot")

// Names lists the robots of the library, by name.
func Names() (names []string) {
	entries, _ := models.ReadDir("models") // it is in the program
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".urdf"))
	}
	return names
}

// Load gives a robot of the library, or the one in a file: a name with a dot or a slash is a file's. The error matches
// [ErrNoRobot], those of [Parse], or is that of opening the file.
func Load(name string) (*description.Robot, error) {
	if !strings.ContainsAny(name, "./"+string(filepath.Separator)) {
		return Named(name)
	}
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, xmltree.MaxSize+1))
	if err != nil {
		return nil, err
	}
	r, err := Parse(name, text)
	return r, filekind.ExplainData(name, text, err, filekind.URDF, filekind.SDF, filekind.WebotsWorld, filekind.XML)
}

// Named gives a robot of the library, and opens no file: for names that others have given. The error matches
// [ErrNoRobot].
func Named(name string) (*description.Robot, error) {
	text, err := models.ReadFile("models/" + name + ".urdf")
	if err != nil {
		return nil, fmt.Errorf("%w: %q; there are %s, and any file of URDF, SDF or PROTO", ErrNoRobot, name, strings.Join(Names(), ", "))
	}
	return urdf.Parse(name, text)
}

// Parse reads a description in the language that its first line or element says. The errors are those of packages urdf,
// sdf and proto.
func Parse(name string, text []byte) (*description.Robot, error) {
	if bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\uFEFF")), []byte("#VRML_SIM")) {
		return proto.Parse(name, text)
	}
	doc, err := xmltree.Parse(name, text)
	if err != nil {
		return nil, err
	}
	switch doc.Root.Name {
	case "robot":
		return urdf.FromTree(doc)
	case "sdf":
		return sdf.FromTree(doc)
	default:
		doc.Root.Failf("neither <robot> of URDF nor <sdf>, and no #VRML_SIM of Webots")
		return nil, doc.Err()
	}
}
