// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// Package is one Go package to write.
type Package struct {
	Dir      string           // below the root: "std_msgs", "rmw_dds_common/iron"
	ROS      string           // ROS package: "std_msgs", "rmw_dds_common"
	Variant  bool             // whether it holds another release's layout
	library  string           // import path of the root that has it as a Go package; empty if it is to be generated
	broken   map[string]error // definitions of a share folder that cannot be read, by full name
	Messages []*idl.Message
	Services []*idl.Service
	Actions  []*idl.Action
}

// Name returns the Go package name.
func (p *Package) Name() string { return path.Base(p.Dir) }

// find returns a message that others may refer to by its full name, or nil.
func (p *Package) find(full string) *idl.Message {
	for _, m := range append(p.actionParts(), p.Messages...) {
		if m.FullName() == full {
			return m
		}
	}
	return nil
}

// actionParts returns the messages that the files of actions define.
func (p *Package) actionParts() []*idl.Message {
	var parts []*idl.Message
	for _, a := range p.Actions {
		parts = append(parts, &a.Goal, &a.Result, &a.Feedback)
	}
	return parts
}

// generated returns all messages that have a Go type.
func (p *Package) generated() []*idl.Message {
	all := append(p.actionParts(), p.Messages...)
	for _, s := range p.Services {
		all = append(all, &s.Request, &s.Response)
	}
	return all
}

// Load parses every definition below root.
func Load(root fs.FS) ([]*Package, error) {
	var packages []*Package
	for _, pattern := range []string{"*/msg", "*/srv", "*/action", "*/*/msg", "*/*/srv", "*/*/action"} {
		dirs, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, d := range dirs {
			if !IsPackage(path.Dir(d)) {
				continue
			}
			p := packageAt(&packages, path.Dir(d))
			if err := p.load(root, d); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(packages, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return packages, nil
}

// IsPackage reports whether a directory below the root is that of a package, and not of tests or of the generator.
func IsPackage(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	return top != "testdata" && top != "internal"
}

// packageAt returns the package at dir, adding it if it is new.
func packageAt(packages *[]*Package, dir string) *Package {
	for _, p := range *packages {
		if p.Dir == dir {
			return p
		}
	}
	ros, _, variant := strings.Cut(dir, "/")
	p := &Package{Dir: dir, ROS: ros, Variant: variant}
	*packages = append(*packages, p)
	return p
}

// load parses the files of one msg, srv or action directory.
func (p *Package) load(root fs.FS, dir string) error {
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		file := path.Join(dir, e.Name())
		name, ext := strings.CutSuffix(e.Name(), "."+path.Base(dir))
		if !ext {
			return fmt.Errorf("%s: not a .%s file", file, path.Base(dir))
		}
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		if err := p.parse(file, name, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// parse adds the definition in one file.
func (p *Package) parse(file, name, text string) error {
	switch path.Ext(file) {
	case ".msg":
		m, err := idl.ParseMessage(file, p.ROS, name, text)
		if err != nil {
			return err
		}
		p.Messages = append(p.Messages, m)
	case ".srv":
		s, err := idl.ParseService(file, p.ROS, name, text)
		if err != nil {
			return err
		}
		p.Services = append(p.Services, s)
	default:
		a, err := idl.ParseAction(file, p.ROS, name, text)
		if err != nil {
			return err
		}
		p.Actions = append(p.Actions, a)
	}
	return nil
}
