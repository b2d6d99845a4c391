// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// Library is a tree of definitions with existing Go packages: those of this module, or of another module.
type Library struct {
	Root   fs.FS
	Import string // import path of the root
}

// load returns the library's packages.
func (l Library) load() ([]*Package, error) {
	packages, err := Load(l.Root)
	for _, p := range packages {
		p.library = l.Import
	}
	return packages, err
}

// addShared adds the named or referenced packages of share folders to those that are generated and to all.
func addShared(packages, all []*Package, opts Options) ([]*Package, []*Package, error) {
	for _, name := range opts.Packages {
		p := loadShared(opts.Share, name)
		if p == nil {
			return nil, nil, fmt.Errorf("%w: package %s: no share folder has its msg, srv or action folder", rihs.ErrUnknownType, name)
		}
		for _, full := range slices.Sorted(maps.Keys(p.broken)) {
			if opts.Skipped == nil {
				return nil, nil, p.broken[full]
			}
			opts.Skipped(full, p.broken[full])
		}
		packages, all = append(packages, p), append(all, p)
	}
	for i := 0; i < len(packages); i++ { // packages grows
		for _, name := range packages[i].missing(all) {
			if p := loadShared(opts.Share, name); p != nil {
				packages, all = append(packages, p), append(all, p)
			}
		}
	}
	return packages, all, nil
}

// missing returns the ROS packages of the types to which p refers and that no package has.
func (p *Package) missing(all []*Package) []string {
	u := newUnit("", p, all)
	names := map[string]bool{}
	for _, m := range p.generated() {
		for i := range m.Fields {
			if t := &m.Fields[i].Type; t.Base == idl.Nested && u.find(t.Ref) == nil {
				name, _, _ := strings.Cut(t.Ref, "/")
				names[name] = !slices.ContainsFunc(all, func(p *Package) bool { return p.ROS == name })
			}
		}
	}
	maps.DeleteFunc(names, func(_ string, missing bool) bool { return !missing })
	return slices.Sorted(maps.Keys(names))
}

// loadShared returns a package of the first share folder that has its definitions, or nil. Unsupported definitions,
// such as those with a wstring, are an error only if they are referenced.
func loadShared(share []fs.FS, name string) *Package {
	for _, root := range share {
		p := &Package{Dir: name, ROS: name, broken: map[string]error{}}
		for _, kind := range []string{"msg", "srv", "action"} {
			files, _ := fs.Glob(root, path.Join(name, kind, "*."+kind)) // the pattern is well formed
			for _, file := range files {
				p.parseShared(root, file)
			}
		}
		if len(p.generated()) > 0 {
			return p
		}
	}
	return nil
}

// parseShared adds the definition in one file, or records the error.
func (p *Package) parseShared(root fs.FS, file string) {
	kind := strings.TrimPrefix(path.Ext(file), ".")
	name := strings.TrimSuffix(path.Base(file), "."+kind)
	text, err := fs.ReadFile(root, file)
	if err == nil {
		err = p.parse(file, name, string(text))
	}
	if err != nil {
		p.broken[path.Join(p.ROS, kind, name)] = err
	}
}

// unknown returns the error for a type that no package has, with the reason if it is known.
func unknown(all []*Package, ref, field string) error {
	for _, p := range all {
		if err := p.broken[ref]; err != nil {
			return fmt.Errorf("%w: %s (%s): %w", rihs.ErrUnknownType, ref, field, err)
		}
	}
	return fmt.Errorf("%w: %s (%s)", rihs.ErrUnknownType, ref, field)
}
