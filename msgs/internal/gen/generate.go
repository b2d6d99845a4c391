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

// Suffix ends the name of every generated file.
const Suffix = "_gen.go"

// Options configure Generate.
type Options struct {
	// Module is the import path of the root directory.
	Module string
	// Libraries are packages with existing Go packages. They are searched in this order, after the packages below the
	// root.
	Libraries []Library
	// Share are "share" folders of ROS 2 installations, with <package>/msg and so on. Referenced packages, and those
	// named in Packages, are generated below the root, unless they are among the above.
	Share    []fs.FS
	Packages []string
	// Skipped is called with each definition of Packages that cannot be generated, such as one with a wstring. If it is
	// nil, that is an error.
	Skipped func(fullName string, err error)
	// Licence is the SPDX identifier in the first line of the files; empty for none.
	Licence string
	// Lookup adds files to the root with the lookup of types by name and the fields of types as text. They require
	// types Message and Service there.
	Lookup bool
}

// Generate returns the generated files by their path below the root of the definitions.
func Generate(root fs.FS, opts Options) (map[string][]byte, error) {
	packages, err := Load(root)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(packages)
	for _, l := range opts.Libraries {
		more, err := l.load()
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if packages, all, err = addShared(packages, all, opts); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range packages {
		if err := generatePackage(files, opts, p, all); err != nil {
			return nil, err
		}
	}
	if opts.Lookup {
		if err := addLookup(files, opts.Module, opts.Licence, packages); err != nil {
			return nil, err
		}
		err = addDefinitions(files, opts.Module, opts.Licence, packages)
	}
	return files, err
}

// generatePackage adds the files of one package.
func generatePackage(files map[string][]byte, opts Options, p *Package, all []*Package) error {
	unitOf := func() *unit {
		u := newUnit(opts.Module, p, all)
		u.licence = opts.Licence
		return u
	}
	if err := checkReferences(p, all); err != nil {
		return err
	}
	if err := checkClashes(p, all); err != nil {
		return err
	}
	for _, m := range p.Messages {
		u := unitOf()
		if err := u.message(m, headline(m)); err != nil {
			return err
		}
		if err := add(files, u, m.Kind, m.Name); err != nil {
			return err
		}
	}
	for _, s := range p.Services {
		u := unitOf()
		if err := u.service(s); err != nil {
			return err
		}
		if err := add(files, u, "srv", s.Name); err != nil {
			return err
		}
	}
	for _, a := range p.Actions {
		u := unitOf()
		if err := u.action(a); err != nil {
			return err
		}
		if err := add(files, u, "action", a.Name); err != nil {
			return err
		}
	}
	return nil
}

func newUnit(module string, pkg *Package, all []*Package) *unit {
	return &unit{module: module, pkg: pkg, all: all, imports: map[string]bool{}}
}

// headline returns the documentation of a message.
func headline(m *idl.Message) string {
	return strings.TrimSpace(fmt.Sprintf("%s is the ROS message %s.\n\n%s", m.Name, m.FullName(), m.Doc))
}

// add formats a unit and adds it under the name of its definition.
func add(files map[string][]byte, u *unit, kind, name string) error {
	file := path.Join(u.pkg.Dir, fileName(name)+Suffix)
	if files[file] != nil {
		return fmt.Errorf("%s: %w: %s is defined twice, as message, service or action, or by case", file, idl.ErrName, name)
	}
	text, err := u.file(path.Join(u.pkg.ROS, kind, name+"."+kind))
	files[file] = text
	return err
}
