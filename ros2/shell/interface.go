// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// topicType returns the type of a topic in the graph, empty if no endpoint uses the topic.
func topicType(g ros2.Graph, topic, shown string) (string, error) {
	for _, t := range g.Topics() {
		if t.Name != topic {
			continue
		}
		if len(t.Types) > 1 {
			return "", failf("Cannot echo topic '%s', as it contains more than one type: [%s]", shown, strings.Join(t.Types, ", "))
		}
		return t.Types[0], nil
	}
	return "", nil
}

// resolve returns a type. If it is unknown, or an endpoint of the topic announces another version of it, the
// description is requested from the nodes on the topic.
func (s *session) resolve(ctx context.Context, rosType string, g ros2.Graph, topic string) (*dynamic.Type, error) {
	t, err := dynamic.Resolve(rosType, s.lookup)
	if hash := hashOn(g, topic); hash != "" && (err != nil || hash != t.Hash()) {
		if described, ok := s.askType(ctx, rosType, g, topic); ok {
			return described, nil
		}
	}
	if err != nil {
		return nil, failf("The message type '%s' is invalid%s", rosType, s.unknownWay(rosType, g))
	}
	return t, nil
}

// interfaceNames returns the available messages, services and actions, sorted.
func (s *session) interfaceNames() []string {
	var names []string
	for _, n := range s.typeNames() {
		if full, part := interfaceOf(n); part != "_Response" && part != "_Result" && part != "_Feedback" {
			names = append(names, full)
		}
	}
	return unique(names)
}

// interfaceOf returns the service or action of which a type is a part, and the part: "_Request". For a message it
// returns the message.
func interfaceOf(name string) (full, part string) {
	for _, part := range []string{"_Request", "_Response", "_Goal", "_Result", "_Feedback"} {
		full, ok := strings.CutSuffix(name, part)
		if ok && !strings.Contains(name, "/msg/") {
			return full, part
		}
	}
	return name, ""
}

// passedType returns a type given on the command line.
func (s *session) passedType(ctx context.Context, name, kind string) (*dynamic.Type, error) {
	full := dynamic.FullName(name, kind)
	t, err := dynamic.Resolve(full, s.lookup)
	if err == nil {
		return t, nil
	}
	if ok, err := s.learnInterface(ctx, full, kind); err != nil || !ok {
		return nil, errors.Join(err, s.invalid("The passed message type is invalid", full))
	}
	return dynamic.Resolve(full, s.lookup)
}

// learnInterface is learn for a name of the kind.
func (s *session) learnInterface(ctx context.Context, full, kind string) (bool, error) {
	if pkg, k, name := cutInterface(full); k != kind || pkg == "" || !isInterfaceName(name) {
		return false, nil
	}
	return s.learn(ctx, full)
}

// isInterfaceName reports whether a name begins with an upper-case letter and has letters and digits only.
func isInterfaceName(name string) bool {
	for i, r := range name {
		letter := r >= 'A' && r <= 'Z'
		if i > 0 {
			letter = letter || r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		}
		if !letter {
			return false
		}
	}
	return name != ""
}

// invalid is the error of a type that is neither known nor described by a node, with similar names and the way to pass
// its definition.
func (s *session) invalid(text, full string) error {
	text += suggest.DidYouMean(full, s.interfaceNames())
	if s.transport != nil {
		text += s.unknownWay(full, s.transport.Graph())
	}
	return failure(text)
}

func interfaceList(_ context.Context, s *session) error {
	kinds := s.wantedKinds()
	for _, k := range interfaceKinds {
		if !kinds[k.name] {
			continue
		}
		s.printf("%s:\n", k.title)
		for _, n := range s.interfaceNames() {
			if strings.Contains(n, "/"+k.name+"/") {
				s.printf("    %s\n", n)
			}
		}
	}
	return nil
}

type interfaceKind struct{ name, title, option string }

// interfaceKinds are the kinds of interfaces in the order of ros2 interface list, and the option that selects each.
var interfaceKinds = []interfaceKind{
	{"msg", "Messages", "--only-msgs"}, {"srv", "Services", "--only-srvs"}, {"action", "Actions", "--only-actions"},
}

// wantedKinds returns the kinds that the options select, all without an option.
func (s *session) wantedKinds() map[string]bool {
	kinds := map[string]bool{}
	for _, k := range interfaceKinds {
		if s.args.flag(k.option) {
			kinds[k.name] = true
		}
	}
	if len(kinds) == 0 {
		for _, k := range interfaceKinds {
			kinds[k.name] = true
		}
	}
	return kinds
}

func interfacePackages(_ context.Context, s *session) error {
	for _, pkg := range s.interfacePackages(s.wantedKinds()) {
		s.printf("%s\n", pkg)
	}
	return nil
}

// interfacePackages returns the packages that have interfaces of some kinds, sorted.
func (s *session) interfacePackages(kinds map[string]bool) []string {
	var names []string
	for _, n := range s.interfaceNames() {
		if pkg, kind, _ := cutInterface(n); kinds[kind] {
			names = append(names, pkg)
		}
	}
	return unique(names)
}

// cutInterface returns the parts of "package/kind/Name".
func cutInterface(full string) (pkg, kind, name string) {
	pkg, rest, _ := strings.Cut(full, "/")
	kind, name, _ = strings.Cut(rest, "/")
	return pkg, kind, name
}

func interfacePackage(ctx context.Context, s *session) error {
	wanted, kinds, found := s.args.value("package_name", ""), s.wantedKinds(), false
	for _, n := range s.interfaceNames() {
		if pkg, kind, _ := cutInterface(n); pkg == wanted {
			found = true
			if kinds[kind] {
				s.printf("%s\n", n)
			}
		}
	}
	if !found {
		return failf("Unknown package '%s'%s", wanted, suggest.DidYouMean(wanted, completeInterfacePackages(ctx, s)))
	}
	return nil
}

func interfaceShow(ctx context.Context, s *session) error {
	full := s.fullInterface(s.args.value("type", ""))
	text, err := s.definition(full)
	if err != nil {
		if text, err = s.learnt(ctx, full, err); err != nil {
			return err
		}
	}
	comments := !s.args.flag("--no-comments")
	s.showDefinition(full, text, comments, s.args.flag("--all-comments"), "")
	return nil
}

// fullInterface returns the full name of an interface that is named without its kind: "geometry_msgs/Twist" is
// "geometry_msgs/msg/Twist". Of a name that several kinds have, the message is first. Other names are returned
// unchanged.
func (s *session) fullInterface(name string) string {
	for _, kind := range interfaceKinds {
		if full := dynamic.FullName(name, kind.name); full != name && slices.Contains(s.interfaceNames(), full) {
			return full
		}
	}
	return name
}

// similarInterface returns the end of an error about an unknown interface, with similar ones.
func (s *session) similarInterface(name string) string {
	near := suggest.DidYouMean(name, s.interfaceNames())
	for _, kind := range interfaceKinds {
		if near == "" {
			near = suggest.DidYouMean(dynamic.FullName(name, kind.name), s.interfaceNames())
		}
	}
	return near
}

// definition returns the text of an interface's file.
func (s *session) definition(full string) (string, error) {
	pkg, kind, name := cutInterface(full)
	if text, ok := s.source(pkg + "/" + kind + "/" + name + "." + kind); ok {
		return text, nil
	}
	return "", failf("Unknown interface '%s'%s", full, s.similarInterface(full))
}

// learnt returns the text of an interface that nodes describe, else the error with the way to pass its definition.
func (s *session) learnt(ctx context.Context, full string, unknown error) (string, error) {
	_, kind, _ := cutInterface(full)
	if !isKind(kind) {
		return "", unknown
	}
	if ok, err := s.learnInterface(ctx, full, kind); err != nil {
		return "", err
	} else if ok {
		return s.definition(full)
	}
	if s.transport == nil {
		return "", unknown
	}
	return "", failf("%v%s", unknown, s.unknownWay(full, s.transport.Graph()))
}

// showDefinition writes a definition, and that of each message in it indented below its field. Comments of those below
// are shown if nested is set.
func (s *session) showDefinition(full, text string, comments, nested bool, indent string) {
	pkg, _, _ := cutInterface(full)
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		line = strings.TrimRight(line, "\r\n")
		code := strings.TrimSpace(withoutComment(line))
		switch {
		case comments:
			s.printf("%s\n", indent+line)
		case code != "":
			s.printf("%s\n", indent+code)
		}
		if below := nestedType(pkg, code); below != "" {
			if text, err := s.definition(below); err == nil {
				s.showDefinition(below, text, comments && nested, nested, indent+"\t")
			}
		}
	}
}

// withoutComment removes a comment; a "#" in quotes does not start one.
func withoutComment(line string) string {
	quote := rune(0)
	for i, r := range line {
		switch {
		case r == '#' && quote == 0:
			return line[:i]
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
	}
	return line
}

// nestedType returns the message type of a field in a package's definition, empty for a field of a base type and for
// other lines.
func nestedType(pkg, code string) string {
	typ, _, _ := strings.Cut(code, " ")
	typ, _, _ = strings.Cut(typ, "[")
	name := typ[strings.LastIndexByte(typ, '/')+1:]
	switch owner, _, ok := strings.Cut(typ, "/"); {
	case name == "" || name[0] < 'A' || name[0] > 'Z': // base types are in lower case
		return ""
	case ok:
		return owner + "/msg/" + name
	case typ == "Header":
		return "std_msgs/msg/Header"
	}
	return pkg + "/msg/" + name
}

func interfaceProto(ctx context.Context, s *session) error {
	full := s.fullInterface(s.args.value("type", ""))
	part := map[string]string{"srv": "_Request", "action": "_Goal"}
	_, kind, _ := cutInterface(full)
	t, err := dynamic.Resolve(full+part[kind], s.lookup)
	if err != nil {
		if _, err := s.learnt(ctx, full, failf("Unknown interface '%s'%s", full, s.similarInterface(full))); err != nil {
			return err
		}
		if t, err = dynamic.Resolve(full+part[kind], s.lookup); err != nil {
			return err
		}
	}
	text := dynamic.New(t).YAML(dynamic.Full())
	if s.args.flag("--no-quotes") {
		s.printf("%s", text)
		return nil
	}
	s.printf("\"%s\"\n", text)
	return nil
}

func completeInterfaces(_ context.Context, s *session) []string { return s.interfaceNames() }

func completeInterfacePackages(_ context.Context, s *session) []string {
	return s.interfacePackages(map[string]bool{"msg": true, "srv": true, "action": true})
}
