// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// learn requests the descriptions of an interface that this program does not know from the nodes that use it, and
// reports whether one has it: a message, a service or an action by its full name. It waits for discovery.
func (s *session) learn(ctx context.Context, full string) (bool, error) {
	pkg, kind, name := cutInterface(full)
	if pkg == "" || name == "" {
		return false, nil
	}
	parts := []string{full}
	if kind == "action" {
		parts = []string{full + "_SendGoal", full + "_GetResult", full + feedbackType}
	}
	g, err := s.graph(ctx, func(g ros2.Graph) bool {
		return anything(g) && slices.ContainsFunc(g.Endpoints, func(e ros2.EndpointInfo) bool { return e.Type == parts[0] })
	})
	if err != nil {
		return false, err
	}
	types := make([]*dynamic.Type, len(parts))
	for i, part := range parts {
		var ok bool
		if types[i], ok = s.describe(ctx, part, g, users(g, part)); !ok {
			return false, nil
		}
	}
	text, ok := definitionText(kind, types)
	if !ok {
		return false, nil
	}
	for _, t := range types {
		s.addReferences(t)
	}
	return true, s.extra.add(pkg, kind, name, text)
}

// users returns the endpoints in whose types the interface is.
func users(g ros2.Graph, rosType string) []ros2.EndpointInfo {
	return slices.DeleteFunc(slices.Clone(g.Endpoints), func(e ros2.EndpointInfo) bool { return e.Type != rosType })
}

// definitionText returns the definition of an interface in the syntax of its file from the types of its parts.
func definitionText(kind string, types []*dynamic.Type) (string, bool) {
	switch kind {
	case "msg":
		return fieldsText(types[0]), true
	case "srv":
		return joinFields(field(types[0], "request_message"), field(types[0], "response_message"))
	case "action":
		return joinFields(field(field(types[0], "request_message"), "goal"), field(field(types[1], "response_message"), "result"),
			field(types[2], "feedback"))
	}
	return "", false
}

// field returns the type of a field, nil if there is none.
func field(t *dynamic.Type, name string) *dynamic.Type {
	if t == nil {
		return nil
	}
	if i := t.Index(name); i >= 0 {
		return t.Fields[i].Type
	}
	return nil
}

func joinFields(parts ...*dynamic.Type) (string, bool) {
	var texts []string
	for _, t := range parts {
		if t == nil {
			return "", false
		}
		texts = append(texts, fieldsText(t))
	}
	return strings.Join(texts, "---\n"), true
}

// fieldsText returns the fields of a type as in its .msg file.
func fieldsText(t *dynamic.Type) string {
	text, _, _ := strings.Cut(t.MsgText(), strings.Repeat("=", 80))
	return text
}

// addReferences adds the messages that a described type refers to, where this program does not know them.
func (s *session) addReferences(t *dynamic.Type) {
	for _, r := range t.References() {
		pkg, kind, name := cutInterface(r.Name)
		if _, known := s.lookup(r.Name); !known && kind == "msg" {
			_ = s.extra.add(pkg, kind, name, fieldsText(r)) // one part always
		}
	}
}
