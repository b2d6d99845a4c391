// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// Suffix ends the name of every generated file.
const Suffix = "_gen.go"

// Generate returns the generated files by their path below the root that
// holds the definitions.
func Generate(root fs.FS) (map[string][]byte, error) {
	packages, err := Load(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range packages {
		for _, m := range p.Messages {
			u := newUnit(p, packages)
			doc := fmt.Sprintf("%s is the ROS message %s.\n\n%s", m.Name, m.FullName(), m.Doc)
			if err := u.message(m, doc); err != nil {
				return nil, err
			}
			if err := add(files, u, m.Kind, m.Name); err != nil {
				return nil, err
			}
		}
		for _, s := range p.Services {
			u := newUnit(p, packages)
			if err := u.service(s); err != nil {
				return nil, err
			}
			if err := add(files, u, "srv", s.Name); err != nil {
				return nil, err
			}
		}
	}
	return files, addLookup(files, packages)
}

// add formats a unit and adds it under the name of its definition.
func add(files map[string][]byte, u *unit, kind, name string) error {
	file := path.Join(u.pkg.Dir, fileName(name)+Suffix)
	if files[file] != nil {
		return fmt.Errorf("%s: %w: %s is defined twice, as message and service or by case", file, idl.ErrName, name)
	}
	text, err := u.file(path.Join(u.pkg.ROS, kind, name+"."+kind))
	files[file] = text
	return err
}
