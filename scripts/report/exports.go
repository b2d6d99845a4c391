// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// export is one exported name: a method has its receiver's type.
type export struct{ folder, receiver, name string }

func (e export) String() string {
	if e.receiver != "" {
		return e.folder + "." + e.receiver + "." + e.name
	}
	return e.folder + "." + e.name
}

// standardMethods are methods of interfaces of the standard library and of package yaml.
var standardMethods = []string{
	"Error", "Is", "As", "Unwrap", "String", "Read", "Write", "Close", "Len", "Less", "Swap", "ServeHTTP", "Set", "Type", "LogValue", "Seek",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "UnmarshalYAML", "Format", "Open", "Enabled", "Handle", "WithAttrs", "WithGroup",
}

// exports are the declared names with their places, and how they are used.
type exports struct {
	declared  map[export]string
	qualified map[export]bool            // package.Name of other folders and of Examples
	selected  map[string]map[string]bool // names behind a dot, by the folder in which they are
	api       map[export]bool            // types of exported signatures and fields
	documents map[string]bool            // package.Name of documents
}

func (x exports) used(e export) bool {
	if e.receiver == "" {
		return x.qualified[e] || x.api[e] || x.documents[path.Base(e.folder)+"."+e.name]
	}
	if slices.Contains(standardMethods, e.name) {
		return true
	}
	for folder := range x.selected[e.name] {
		if folder != e.folder {
			return true
		}
	}
	return false
}

// unusedExports returns the exported names that nothing uses: functions, types, constants and variables at package
// level, and methods of exported types, of the hand-written public packages that are no program. A name is used if
//   - a file of another folder, of tests too, names it behind the package's name (a method: behind any dot),
//   - an Example of its own package does, or a document does as package.Name,
//   - it is a method that an interface of the project or one of standardMethods has,
//   - it is a type in the signature or in an exported field of another exported name.
func (t *tree) unusedExports() (list []string) {
	x := exports{map[export]string{}, map[export]bool{}, map[string]map[string]bool{}, map[export]bool{}, t.documentedExports()}
	public := map[string]bool{}
	for _, p := range t.packages {
		public[p.Folder] = !p.Main && !slices.Contains(strings.Split(p.Folder, "/"), "internal")
	}
	for _, s := range t.sources {
		if public[s.Folder] && !s.Test {
			x.declare(s)
		}
		x.collectUses(s)
	}
	for _, e := range slices.SortedFunc(maps.Keys(x.declared), func(a, b export) int { return strings.Compare(a.String(), b.String()) }) {
		if !x.used(e) {
			list = append(list, x.declared[e]+": "+e.String())
		}
	}
	return list
}

// qualifiedName matches package.Name.
var qualifiedName = regexp.MustCompile(`\b[a-z][a-z0-9_]*\.[A-Z]\w*`)

// documentedExports returns each package.Name of the documents.
func (t *tree) documentedExports() map[string]bool {
	found := map[string]bool{}
	for _, d := range t.documents {
		for _, m := range qualifiedName.FindAllString(d.text, -1) {
			found[m] = true
		}
	}
	return found
}
