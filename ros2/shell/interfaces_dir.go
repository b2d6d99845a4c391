// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// interfaceSources holds definitions in addition to those of [Env]: of a folder, and of nodes. The zero value is empty.
type interfaceSources struct {
	sources map[string]string // text of "pkg/msg/Name.msg"
	fields  map[string]string // fields by type, with the full names of nested types
}

// interfacesOption is the option of the tools that use definitions.
func interfacesOption() option {
	return option{names: "--interfaces", metavar: "DIR", help: "Folder with packages of .msg, .srv and .action files, in addition to the types of this program"}
}

// Limits of a folder of definitions.
const (
	maxDefinition  = 1 << 20 // bytes of a file
	maxDefinitions = 10_000  // files
)

// loadInterfaces reads the folder of the option --interfaces, if it is set.
func (s *session) loadInterfaces() error {
	dir := s.args.value("--interfaces", "")
	if dir == "" {
		return nil
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		kind := strings.TrimPrefix(filepath.Ext(path), ".")
		if err != nil || d.IsDir() || !isKind(kind) || filepath.Base(filepath.Dir(path)) != kind {
			return err
		}
		if len(s.extra.sources) >= maxDefinitions {
			return fmt.Errorf("%s: more than %d definitions", dir, maxDefinitions)
		}
		data, err := regular.Read(path, maxDefinition)
		if err != nil {
			return err
		}
		pkg := filepath.Base(filepath.Dir(filepath.Dir(path)))
		return s.extra.add(pkg, kind, strings.TrimSuffix(filepath.Base(path), "."+kind), string(data))
	})
	if err == nil && len(s.extra.sources) == 0 {
		err = fmt.Errorf("%s has no definitions: want PACKAGE/msg/*.msg, PACKAGE/srv/*.srv or PACKAGE/action/*.action below it", dir)
	}
	if err != nil {
		return failf("--interfaces: %v", err)
	}
	return nil
}

func isKind(kind string) bool {
	return slices.ContainsFunc(interfaceKinds, func(k interfaceKind) bool { return k.name == kind })
}

// add adds the definition of an interface in the syntax of its file.
func (x *interfaceSources) add(pkg, kind, name, text string) error {
	full := pkg + "/" + kind + "/" + name
	parts := splitParts(text)
	wanted := map[string]int{"msg": 1, "srv": 2, "action": 3}[kind]
	if len(parts) != wanted {
		return fmt.Errorf("%s.%s: %d parts separated by \"---\", want %d", full, kind, len(parts), wanted)
	}
	if x.sources == nil {
		x.sources, x.fields = map[string]string{}, map[string]string{}
	}
	x.sources[full+"."+kind] = text
	suffixes := map[string][]string{"msg": {""}, "srv": {"_Request", "_Response"}, "action": {"_Goal", "_Result", "_Feedback"}}[kind]
	for i, suffix := range suffixes {
		x.fields[full+suffix] = fullFields(pkg, parts[i])
	}
	if kind == "action" {
		id := "unique_identifier_msgs/msg/UUID goal_id\n"
		maps.Copy(x.fields, map[string]string{
			full + "_SendGoal_Request":   id + full + "_Goal goal\n",
			full + "_SendGoal_Response":  "bool accepted\nbuiltin_interfaces/msg/Time stamp\n",
			full + "_GetResult_Request":  id,
			full + "_GetResult_Response": "int8 status\n" + full + "_Result result\n",
			full + feedbackType:          id + full + "_Feedback feedback\n",
		})
	}
	return nil
}

// splitParts splits a definition at its lines "---".
func splitParts(text string) []string {
	parts := []string{""}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "---" {
			parts = append(parts, "")
			continue
		}
		parts[len(parts)-1] += line
	}
	return parts
}

// fullFields returns the fields of a definition without comments and constants, with the full names of nested types.
func fullFields(pkg, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(withoutComment(strings.TrimRight(line, "\r\n"))), " ")
		typ, rest, ok := strings.Cut(line, " ")
		if name, _, _ := strings.Cut(rest, " "); !ok || strings.Contains(name, "=") {
			continue
		}
		if nested := nestedType(pkg, line); nested != "" {
			element, list, isList := strings.Cut(typ, "[")
			typ = nested
			if strings.Count(element, "/") == 2 {
				typ = element
			}
			if isList {
				typ += "[" + list
			}
		}
		fmt.Fprintf(&b, "%s %s\n", typ, rest)
	}
	return b.String()
}

// lookup finds the definition of a type: of the folder, of a node, or of this program.
func (s *session) lookup(rosType string) (string, bool) {
	if text, ok := s.extra.fields[rosType]; ok {
		return text, true
	}
	return s.env.Types(rosType)
}

// typeNames returns the names of all types.
func (s *session) typeNames() []string {
	if len(s.extra.fields) == 0 {
		return s.env.TypeNames
	}
	names := slices.DeleteFunc(slices.Collect(maps.Keys(s.extra.fields)), func(name string) bool {
		return strings.Contains(name, "_SendGoal_") || strings.Contains(name, "_GetResult_") || strings.HasSuffix(name, feedbackType)
	})
	return slices.Concat(s.env.TypeNames, names)
}

// source returns the text of an interface's file.
func (s *session) source(name string) (string, bool) {
	if text, ok := s.extra.sources[name]; ok {
		return text, true
	}
	if s.env.Sources == nil {
		return "", false
	}
	text, err := fs.ReadFile(s.env.Sources, name)
	return string(text), err == nil
}

// unknownWay is the end of an error about a type that neither this program nor a node describes; empty if this program
// has its package, so that the name is probably misspelled.
func (s *session) unknownWay(full string, g ros2.Graph) string {
	pkg, _, _ := cutInterface(full)
	if pkg == full || slices.Contains(s.interfacePackages(map[string]bool{"msg": true, "srv": true, "action": true}), pkg) {
		return ""
	}
	text := "\nNo node describes it; a folder with its definition can be passed: --interfaces DIR"
	if _, err := os.Stat("/opt/ros"); err == nil {
		text += ", such as --interfaces /opt/ros/$ROS_DISTRO/share"
	}
	for _, e := range g.Endpoints {
		if e.TypeHash == "" && e.Kind == ros2.PublisherEndpoint {
			return text + " (nodes of ROS 2 Humble do not describe their types)"
		}
	}
	return text
}
